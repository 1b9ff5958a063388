/** What goes into the appliance. A change here, in `guest/` or in a package's version makes a new image. */

export const IMAGE_NAME = 'longhaul-appliance'

/** Debian's own name for the kernel flavour without drivers for physical hardware. */
export const KERNEL_METAPACKAGE = 'linux-image-cloud-amd64'

/** Packages whose programs are used. The shared libraries that they need follow from their dependencies. */
export const PACKAGES = [
  'bird2',
  'busybox-static',
  'dropbear-bin',
  'e2fsprogs',
  'iproute2',
  'ncurses-base',
  'nftables',
  'qemu-guest-agent',
] as const

/** Where a program is in its package, and where the guest has it. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'usr/sbin/bird': 'usr/sbin/bird',
  'usr/sbin/birdc': 'usr/sbin/birdc',
  'bin/ip': 'usr/sbin/ip',
  'bin/ss': 'usr/sbin/ss',
  'usr/sbin/nft': 'usr/sbin/nft',
  'usr/sbin/dropbear': 'usr/sbin/dropbear',
  'usr/bin/dropbearkey': 'usr/sbin/dropbearkey',
  'usr/sbin/qemu-ga': 'usr/sbin/qemu-ga',
  'sbin/mke2fs': 'usr/sbin/mke2fs',
  'sbin/resize2fs': 'usr/sbin/resize2fs',
}

/** Terminals that the consoles announce; without them birdc has no line editing. */
export const TERMINALS = ['lib/terminfo/l/linux', 'lib/terminfo/v/vt100', 'lib/terminfo/x/xterm-256color'] as const

/** Kernel modules that the guest can load, beside those that they depend on. */
export const MODULES = [
  // the machine
  'virtio_pci virtio_blk virtio_net virtio_console virtio_rng virtio_balloon qemu_fw_cfg',
  'button evdev crc32c_generic crc32c-intel',
  // what a router's owner may configure
  '8021q dummy vrf bridge bonding veth macvlan tun vxlan wireguard',
  'ip_gre ip6_gre ipip sit ip6_tunnel mpls_router mpls_iptunnel tcp_bbr',
  'nf_tables nft_ct nft_limit nft_log nft_nat nft_masq nft_chain_nat nft_reject_inet nft_fib_inet nft_flow_offload',
].flatMap((names) => names.split(' '))
