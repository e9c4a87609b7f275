volscale report; echo $?
volscale report --db other.db; echo $?
echo 'not a database' >text.db
volscale report --db text.db; echo $?
ls
