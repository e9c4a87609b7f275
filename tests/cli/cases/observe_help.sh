volscale observe --help
