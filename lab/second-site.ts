/** The second site of the demonstration, on the same machine: its hypervisor's folder and the mark of its machines. */
import path from 'node:path'
import { instanceOf } from '../src/platform/config.ts'

export const SECOND_SITE = { slug: 'vie1', name: 'Vienna 1', hypervisor: 'vie1-hv1' } as const

export interface SecondSite {
  readonly DATA_DIR: string
  readonly instance: string
}

/** Inside the folder of the first site, so that deleting that deletes both. */
export function secondSiteOf({ DATA_DIR }: { readonly DATA_DIR: string }): SecondSite {
  const directory = path.join(DATA_DIR, SECOND_SITE.slug)
  return { DATA_DIR: directory, instance: instanceOf(directory) }
}
