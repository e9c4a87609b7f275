volscale observe /nonexistent; echo rc $?; ls
