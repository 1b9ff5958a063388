#!/bin/sh
# Brings the machine from bare kernel to configured interfaces. Runs once, before every daemon.
export PATH=/usr/sbin:/sbin:/bin
# The shell prefers its built-in applets to PATH, and its `ip` knows no -batch.
ip() { /usr/sbin/ip "$@"; }

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /run
mkdir -p /run/bird /run/qga

modprobe -a virtio_pci virtio_blk virtio_net virtio_console virtio_rng virtio_balloon qemu_fw_cfg button evdev

mount_data() {
  [ -b /dev/vda ] || return 1
  mount -t ext4 -o noatime /dev/vda /data 2>/dev/null && return 0
  # Only a blank disk is formatted: a file system that will not mount may still be mended, a formatted one is gone.
  if ! cmp -s -n 1048576 /dev/vda /dev/zero; then
    echo "The data disk holds something that cannot be mounted; running without it. See dmesg." > /dev/console
    return 1
  fi
  /usr/sbin/mke2fs -q -F -t ext4 -L data -J size=4 -E lazy_itable_init=1,lazy_journal_init=1,nodiscard /dev/vda &&
    mount -t ext4 -o noatime /dev/vda /data &&
    cat /sys/block/vda/size > /data/.disk-size
}

# The operator may have given the disk more room since the last start.
grow_data() {
  size=$(cat /sys/block/vda/size)
  [ "$size" = "$(cat /data/.disk-size 2>/dev/null)" ] && return
  /usr/sbin/resize2fs /dev/vda > /dev/null 2>&1 && echo "$size" > /data/.disk-size
}

# A warm reboot sees the boot files of the last cold start again, while the portal has written newer ones since. So the
# files live on the data disk, and those of the portal's archive replace them only when the archive has changed.
take_boot_files() {
  archive=/sys/firmware/qemu_fw_cfg/by_name/opt/vr/config/raw
  [ -e "$archive" ] || return 0
  digest=$(md5sum < "$archive")
  [ "$digest" = "$(cat /etc/vr/.digest 2>/dev/null)" ] && return 0
  rm -rf /etc/vr/*
  tar -xof "$archive" -C /etc/vr && echo "$digest" > /etc/vr/.digest
}

if mount_data; then
  grow_data
  mkdir -p /data/vr /data/dropbear
  chmod 700 /data/vr /data/dropbear
  mount --bind /data/vr /etc/vr
  mount --bind /data/dropbear /etc/dropbear
fi
take_boot_files
[ -s /etc/vr/hostname ] && hostname "$(cat /etc/vr/hostname)"

sysctl -q -p /etc/sysctl.conf
ip link set lo up
# Interfaces are told apart by their MAC address: lines "mac name".
if [ -e /etc/vr/macs ]; then
  while read -r mac name; do
    for device in /sys/class/net/*; do
      read -r address < "$device/address"
      [ "$address" = "$mac" ] && [ "${device##*/}" != "$name" ] && ip link set "${device##*/}" name "$name"
    done
  done < /etc/vr/macs
fi
[ -e /etc/vr/nft.conf ] && nft -f /etc/vr/nft.conf
[ -e /etc/vr/ip.batch ] && ip -force -batch /etc/vr/ip.batch
exit 0
