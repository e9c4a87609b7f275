volscale verify --help
