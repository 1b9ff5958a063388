import type { AuditActionOf } from '../../kernel/audit-actions.ts'
import { formatUtc } from '../../kernel/utc.ts'
import { because, quotedName, text, type ActivityMessages, type AuditData } from '../../ui/components/audit-data.ts'

const router = (data: AuditData): string => (text(data, 'name') ? `Router “${text(data, 'name')}”` : 'A router')

const STAFF_ACTIONS: Readonly<Record<string, string>> = {
  start: 'started',
  shutdown: 'shut down',
  reboot: 'rebooted',
  stop: 'stopped',
  reset: 'reset',
}

export const ROUTER_ACTIVITY: ActivityMessages<AuditActionOf<'routers', 'router'>> = {
  'router.created': (data) => `Router ${quotedName(data)} was ordered`,
  'router.renamed': (data) => `A router was renamed from “${text(data, 'before')}” to “${text(data, 'after')}”`,
  'router.resized': (data) => `${router(data)} was moved from plan ${text(data, 'before')} to ${text(data, 'after')}`,
  'router.action_requested': (data) => {
    const [action, reason] = [text(data, 'action'), text(data, 'reason')]
    // Only staff give reasons.
    return reason
      ? `Staff ${STAFF_ACTIONS[action] ?? action} router ${quotedName(data)}: ${reason}`
      : `${router(data)} received the command: ${action}`
  },
  'router.protection_changed': (data) =>
    `Deletion protection of router ${quotedName(data)} was switched ${data['protected'] === true ? 'on' : 'off'}${because(data)}`,
  'router.delete_requested': (data) => {
    const until = text(data, 'until')
    return `Router ${quotedName(data)} was deleted${until && `; it can be restored until ${formatUtc(until)}`}`
  },
  'router.restored': (data) => `Router ${quotedName(data)} was restored`,
  'router.deleted': (data) => `Router ${quotedName(data)} was removed`,
  'router.reachable': (data) => `${router(data)} came online`,
  'router.moved': (data) => `${router(data)} is being created on another host${because(data)}`,
  'router.failed': (data) => `${router(data)} failed${because(data)}`,
  'router.recovered': (data) => `${router(data)} recovered`,
  'router.retried': (data) => `${router(data)} was retried immediately`,
  'router.crashed': (data) => `${router(data)} crashed and was restarted`,
  'router.guest_shutdown': (data) => `${router(data)} was shut down from its operating system`,
  'router.found_stopped': (data) => `${router(data)} was found off and is being started`,
  'router.silent_stopped': (data) => `${router(data)} was powered off${because(data)}`,
  'router.configuration_refused': (data) => `${router(data)} rejected its configuration${because(data)}`,
  'router.own_files_refused': (data) => `${router(data)} runs without the files in /data/bird.d${because(data)}`,
  'router.suspended': (data) => `${router(data)} was suspended`,
  'router.resumed': (data) => `${router(data)} was resumed`,
  'router.console_opened': (data) =>
    `The ${text(data, 'kind')} console of ${text(data, 'name') ? quotedName(data) : 'a router'} was opened`,
}
