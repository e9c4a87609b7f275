volscale --help
