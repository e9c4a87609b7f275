volscale obsreve
