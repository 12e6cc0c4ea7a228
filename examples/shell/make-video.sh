#!/bin/sh
# Orders a video, waits for it and saves it as video.mp4. Needs curl.
set -eu

tasks="$VIDEO_API_BASE/contents/generations/tasks"
key="Authorization: Bearer ${VIDEO_API_KEY:-any-key}"

# field NAME: the value of a text field of the JSON on standard input
field() {
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

order="{\"model\":\"videoa-2-0-260128\",\"content\":[{\"type\":\"text\",\"text\":\"$1\"}],\"resolution\":\"480p\",\"duration\":4}"
id=$(curl --fail --silent --show-error -H "$key" -H 'Content-Type: application/json' -d "$order" "$tasks" | field id)
echo "ordered $id"

while :; do
  answer=$(curl --fail --silent --show-error -H "$key" "$tasks/$id")
  status=$(echo "$answer" | field status)
  echo "it is $status"
  case $status in
    succeeded) break ;;
    failed | cancelled | expired) exit 1 ;;
  esac
  sleep 0.1
done

curl --fail --silent --show-error --output video.mp4 "$(echo "$answer" | field video_url)"
test "$(head -c 8 video.mp4 | tail -c 4)" = ftyp
echo "saved $(wc -c < video.mp4) bytes"
