/** What each slice adds to the command palette. Loaded when the palette opens, not before. */
import type { PaletteSearch, PaletteSource } from '../ui/runtime/palette.ts'

export const paletteSources: readonly PaletteSource[] = [
  async () => (await import('../accounts/portal/palette.ts')).settingsItems,
  async (context) => (await import('../routers/portal/palette.ts')).routerPalette(context),
  async (context) => (await import('../transit/portal/palette.ts')).prefixPalette(context),
  async (context) => (await import('../transit/portal/palette.ts')).sessionPalette(context),
  async (context) => (await import('../billing/portal/palette.ts')).invoicePalette(context),
  async ({ staff }) => (staff ? (await import('../admin/portal/palette.ts')).staffItems() : []),
  async ({ staff }) => (staff ? (await import('../observability/portal/palette.ts')).developerItems() : []),
]

/** Staff search everything on the server; a customer's few things are already loaded. */
export const paletteSearch: PaletteSearch = async (typed, { staff, signal }) =>
  staff ? (await import('../admin/portal/palette-search.ts')).searchEverything(typed, signal) : []
