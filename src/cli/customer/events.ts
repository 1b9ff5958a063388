import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { defineCommand, optional, CommandError, wholeNumber } from '../command.ts'
import { apiClientFor, type ApiClient } from './api-client.ts'
import { JSON_FLAG } from './options.ts'

const LONGEST_PAUSE_MS = 20_000
/** A heartbeat comes every 20 seconds: after three missed ones the stream is dead, whatever TCP reports. */
const SILENCE_MS = 65_000
const MOST_BUFFERED = 1_000_000
const changeEvent = z.object({ type: z.string(), id: z.number().nullable() })

export const followEvents = defineCommand({
  name: 'events',
  summary: 'Follow changes as they happen. Stop with Ctrl-C.',
  notes: 'It says what changed, not into what: ask for the thing. To be told on your own server, use webhooks.',
  args: {},
  options: { count: optional(wholeNumber('end after so many')), ...JSON_FLAG },
  async run({ count = Number.POSITIVE_INFINITY, json = false }, { say, warn, env }) {
    const apiClient = await apiClientFor({ env })
    let seen = 0
    let failures = 0
    while (seen < count) {
      try {
        for await (const change of follow(apiClient, () => (failures = 0))) {
          const at = new Date().toISOString()
          say(
            json
              ? JSON.stringify({ at, ...change })
              : `${at} ${change.type}${change.id === null ? '' : ` ${change.id}`}`,
          )
          if (++seen >= count) return
        }
      } catch (error) {
        // A request that the portal rejects would be rejected again.
        if (error instanceof CommandError && !/cannot be reached|answered 5/.test(error.message)) throw error
      }
      const pause = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures++) * (0.5 + Math.random() / 2)
      warn('The stream was lost; trying again. Something may have been missed.')
      await sleep(pause)
    }
  },
})

async function* follow(apiClient: ApiClient, onOpen: () => void): AsyncGenerator<z.output<typeof changeEvent>> {
  const giveUp = new AbortController()
  let silence = setTimeout(() => giveUp.abort(), SILENCE_MS)
  try {
    const response = await apiClient.open('/api/events', 'text/event-stream', giveUp.signal)
    onOpen()
    const decoder = new TextDecoder()
    let buffered = ''
    for await (const chunk of response.body ?? []) {
      clearTimeout(silence)
      silence = setTimeout(() => giveUp.abort(), SILENCE_MS)
      buffered += decoder.decode(chunk, { stream: true })
      const blocks = buffered.split('\n\n')
      buffered = blocks.pop()!
      if (buffered.length > MOST_BUFFERED) return
      for (const block of blocks) {
        const lines = block.split('\n')
        const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
        if (!lines.includes('event: news') || data === undefined) continue
        const read = changeEvent.safeParse(JSON.parse(data))
        if (read.success) yield read.data
      }
    }
  } finally {
    clearTimeout(silence)
    giveUp.abort()
  }
}
