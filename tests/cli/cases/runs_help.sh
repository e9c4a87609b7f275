volscale runs --help
