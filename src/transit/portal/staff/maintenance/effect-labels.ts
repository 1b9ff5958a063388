import type { MaintenanceEffect } from '../../../maintenance/policy.ts'

export const EFFECT_LABELS: Readonly<Record<MaintenanceEffect, string>> = {
  SESSIONS_DOWN: 'BGP sessions down',
  ROUTERS_DOWN: 'Routers down',
  AT_RISK: 'At risk',
}

export const EFFECT_CHOICES = (Object.keys(EFFECT_LABELS) as MaintenanceEffect[]).map((value) => ({
  value,
  label: EFFECT_LABELS[value],
}))
