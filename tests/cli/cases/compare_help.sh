volscale compare --help
