/** The system programs that the product uses, by the names of Debian's packages. */

export interface Requirement {
  readonly package: string
  /** It is present if one of these is; for systems other than Debian. */
  readonly programs: readonly string[]
  readonly purpose: string
}

const QEMU: Requirement =
  process.arch === 'arm64'
    ? { package: 'qemu-system-arm', programs: ['qemu-system-aarch64'], purpose: 'runs the virtual routers' }
    : { package: 'qemu-system-x86', programs: ['qemu-system-x86_64'], purpose: 'runs the virtual routers' }

export const PRODUCT: readonly Requirement[] = [
  QEMU,
  { package: 'qemu-utils', programs: ['qemu-img'], purpose: 'makes disks' },
  { package: 'libvirt-daemon', programs: ['libvirtd'], purpose: 'manages the virtual routers' },
  { package: 'libvirt-daemon-system', programs: ['virtlogd'], purpose: 'configures libvirt for the system' },
  { package: 'libvirt-clients', programs: ['virsh'], purpose: 'shows the operator what libvirt does' },
  { package: 'bird2', programs: ['bird'], purpose: 'speaks BGP' },
  { package: 'iproute2', programs: ['ip'], purpose: 'sets up networks' },
  { package: 'nftables', programs: ['nft'], purpose: 'filters packets' },
  { package: 'ebtables', programs: ['ebtables', 'ebtables-nft'], purpose: 'keeps routers to their own addresses' },
  { package: 'zstd', programs: ['zstd'], purpose: 'packs the router image' },
  { package: 'cpio', programs: ['cpio'], purpose: 'packs the router image' },
  { package: 'kmod', programs: ['modprobe'], purpose: 'finds the modules of the router image' },
  { package: 'busybox-static', programs: ['busybox'], purpose: 'is the userland of the router image' },
]

/** The first is preferred: without a window it needs half the CPU time. */
export const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] as const

export const TESTS: readonly Requirement[] = [
  {
    package: 'chromium-headless-shell',
    programs: BROWSERS,
    purpose: 'is the browser of the tests',
  },
  { package: 'fonts-dejavu-core', programs: [], purpose: 'draws the text in their pictures' },
  { package: 'postgresql', programs: [], purpose: 'is the other PostgreSQL that the tests run on' },
  { package: 'iputils-ping', programs: ['ping'], purpose: 'shows that traffic follows the routes' },
  { package: 'nginx-light', programs: ['nginx'], purpose: 'judges the example of a reverse proxy' },
  { package: 'caddy', programs: ['caddy'], purpose: 'judges the other example of one' },
  { package: 'sudo', programs: ['sudo'], purpose: 'runs the commands of the manual as they are written' },
  { package: 'openssl', programs: ['openssl'], purpose: 'makes the certificate for it' },
  { package: 'openssh-client', programs: ['ssh-keygen'], purpose: 'judges our reading of SSH keys' },
  { package: 'frr', programs: ['vtysh'], purpose: 'is a customer’s router in the tests of the edge' },
  { package: 'gobgpd', programs: ['gobgpd'], purpose: 'is another make of it' },
  { package: 'openbgpd', programs: ['bgpd'], purpose: 'is an edge router of another make' },
  { package: 'bgpq4', programs: ['bgpq4'], purpose: 'judges our reading of the IRR' },
]
