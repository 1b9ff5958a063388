#!/bin/sh
# watchdog.sh SECONDS DIRECTORY PENDING OLD-SLOT SOCKET: takes a change back that nobody confirmed. Started before the change,
# in a session of its own. Whoever renames DIRECTORY/PENDING first decides: the portal to "confirmed", this script to "undone".
trap '' HUP PIPE
echo ready
exec >/dev/null 2>&1
sleep "$1"
mv -T "$2/$3" "$2/undone" || exit 0
ln -sfn "$4" "$2/live.watchdog" && mv -T "$2/live.watchdog" "$2/live"
for try in 1 2 3 4 5 6 7 8 9 10; do # bgpctl answers 0 even when it was refused: its words say what became of it
  bgpctl -s "$5" reload 2>&1 | grep -q 'request processed' && exit 0
  sleep 2
done
exit 1
