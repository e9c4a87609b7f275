volscale rehearse --help
