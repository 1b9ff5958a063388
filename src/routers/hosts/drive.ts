/** Drives one hypervisor from this process, whenever no other does. */
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { driveAlone, type DriveOptions as Options, type Driving } from '../../platform/driving/drive.ts'
import { claimHypervisor, type Claimant } from './claim.ts'

export interface DriveOptions extends Pick<
  Options,
  'databaseUrl' | 'db' | 'clock' | 'bus' | 'log' | 'board' | 'reconcilers' | 'onTrouble'
> {
  readonly hypervisor: Hypervisor
  readonly claimant: Omit<Claimant, 'url'> & {
    /** In words that lead a person to it. */
    readonly process: string
    readonly url: () => string | null
  }
  /** Holds the driver while this process drives, by its name. It does so from the start, until another is found to. */
  readonly driven: Map<string, Hypervisor>
}

export function driveHypervisor(options: DriveOptions): Promise<Driving> {
  const { claimant, driven, hypervisor } = options
  const { slug, process } = claimant
  return driveAlone({
    ...options,
    table: 'hypervisor_drivers',
    slug,
    process,
    claim: (db, before) => claimHypervisor(db, { ...claimant, url: claimant.url() }, before),
    onDriving: () => void driven.set(slug, hypervisor),
    onIdle: () => void driven.delete(slug),
  })
}
