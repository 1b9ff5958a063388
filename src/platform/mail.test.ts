import pg from 'pg'
import { expect, test } from 'vitest'
import { emptyDatabase } from './db/testing.ts'
import { migrate } from './db/index.ts'

test('migration 0155 deletes the text of what was sent, dismissed, or refused for more than 30 days', async () => {
  const url = await emptyDatabase()
  await migrate(url, { upTo: '0154' })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`insert into outgoing_mail (message_id, to_address, subject, text, html, sent_at, failed_at, dismissed_at)
      values ('sent', 'a@example.net', 's', 't', 'h', now(), null, null),
        ('waiting', 'a@example.net', 's', 't', 'h', null, null, null),
        ('dismissed', 'a@example.net', 's', 't', 'h', null, now(), now()),
        ('refused', 'a@example.net', 's', 't', 'h', null, now(), null),
        ('refused long ago', 'a@example.net', 's', 't', 'h', null, now() - interval '31 days', null)`)
    await migrate(url)
    const { rows } = await client.query<{ message_id: string }>(
      'select message_id from outgoing_mail where text is not null or html is not null order by id',
    )
    expect(rows.map((row) => row.message_id)).toEqual(['waiting', 'refused'])
  } finally {
    await client.end()
  }
})
