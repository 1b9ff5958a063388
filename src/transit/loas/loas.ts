/** Letters of authorization (LOA): signing, listing, revoking and verifying them. See decision 44. */
import type { AccountId } from '../../kernel/ids.ts'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { networkOf, readAsnOwnership, suspendedByStaff, take, type Limit } from '../../accounts/index.ts'
import type { FileAnswer } from '../../kernel/endpoint.ts'
import { conflict, notFound, Problem, tooMany } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Loa, VerifiedLoa } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { recordLoa } from '../events.ts'
import { isCurrent } from '../evidence/evidence.ts'
import { readEvidence } from '../evidence/store.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { ownPrefix } from '../prefixes/requests.ts'
import { allowsLoa, STATUS_LABELS, type LoaState, type PrefixStatus } from '../states.ts'
import type { LoasTable } from './tables.ts'
import { evidenceLines, paragraphsOf, proofSentence, TEXT_VERSION, VALID_YEARS } from './text.ts'

type LoaRow = Omit<Selectable<LoasTable>, 'pdf'> & CurrentPrefix

/** The facts that decide whether the letter is in effect. */
interface CurrentPrefix {
  readonly status: PrefixStatus
  readonly current_origin: number | null
  readonly current_asn: number | null
  /** The account is suspended by staff or closed, so the edge carries none of it. */
  readonly held: boolean
}

/** Each letter stores a file. An account may sign a few at once, and then one every three minutes. */
const SIGNING: Limit = { name: 'loas signed', burst: 20, refillMs: 180_000 }
/** The most letters in effect at once for a prefix. A carrier wants one; a new signatory or a changed text makes a few more. */
const MOST_IN_EFFECT = 20
/** The most letters of an account, in effect or not. Letters are kept forever, and each is a file. */
const MOST_STORED = 500
/** For each network that asks. Codes cannot be guessed, and the limit keeps the portal from being overloaded. */
const VERIFYING: Limit = { name: 'loas verified', burst: 30, refillMs: 2_000 }

export async function draftLoa(deps: TransitWriter, db: Db, accountId: AccountId, prefixId: number) {
  const { subject, proof, evidence } = await readFacts(deps, db, await ownPrefix(db, accountId, prefixId, 'read'))
  const paragraphs = paragraphsOf(subject)
  return { paragraphs, textDigest: digestOf(paragraphs), proof: proofSentence(proof), evidence }
}

interface Signature {
  readonly name: string
  readonly title: string
  /** The digest of the text that the signatory has read. */
  readonly textDigest: string
}

export async function signLoa(
  deps: TransitWriter,
  db: Db,
  { actor, accountId, prefixId }: { readonly actor: Actor; readonly accountId: AccountId; readonly prefixId: number },
  { name, title, textDigest }: Signature,
): Promise<Loa> {
  const row = await ownPrefix(db, accountId, prefixId, 'lock')
  const { subject, proof, holder, evidence } = await readFacts(deps, db, row)
  const paragraphs = paragraphsOf(subject)
  if (digestOf(paragraphs) !== textDigest)
    throw conflict('The text changed while you read it. Read it again, then sign.', 'text_changed')
  const signedAt = deps.clock.now()
  if (!(await take(db, SIGNING, String(accountId), signedAt)))
    throw tooMany('Too many letters were signed. Wait three minutes and try again.', SIGNING.refillMs / 1000)
  await requireRoom(db, row, signedAt)
  const validUntil = new Date(signedAt)
  validUntil.setUTCFullYear(validUntil.getUTCFullYear() + VALID_YEARS)
  // 160 bits, in characters that can be typed from paper.
  const code = randomBytes(20).toString('hex')
  // Imported on first use: its fonts are larger than the rest of transit.
  const { loaPdf } = await import('./loa-pdf.ts')
  const pdf = await loaPdf({
    ...subject,
    signatory: { name, title },
    proof,
    paragraphs,
    evidence,
    signedAt,
    validUntil,
    verifyUrl: verifyUrl(deps, code),
    productName: deps.config.PRODUCT_NAME,
  })
  const { id } = await db
    .insertInto('loas')
    .values({
      account_id: accountId,
      prefix_id: prefixId,
      prefix: subject.prefix,
      origin_asn: subject.originAsn,
      customer_asn: proof.asn,
      proof_method: proof.method,
      asn_verified_at: proof.verifiedAt,
      holder: holder?.name ?? null,
      holder_registry: holder?.registry ?? null,
      operator_name: subject.operator.name,
      operator_asn: subject.operator.asn,
      signatory_name: name,
      signatory_title: title,
      text_version: TEXT_VERSION,
      paragraphs: JSON.stringify(paragraphs),
      evidence: JSON.stringify(evidence),
      signed_at: signedAt,
      valid_until: validUntil,
      code,
      pdf,
      pdf_sha256: createHash('sha256').update(pdf).digest('hex'),
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordLoa(db, actor, row, 'signed', { loa: id, signatory: name })
  return ownLoa(deps, db, { accountId, prefixId, loa: id })
}

/** Throws 409 `limit_reached`. Signing locks the account's throttle row, so two letters cannot both be the last. */
async function requireRoom(db: Db, prefix: PrefixRow, now: Date): Promise<void> {
  const { stored, inEffect } = await db
    .selectFrom('loas')
    .select((eb) => [
      eb.fn.countAll<number>().as('stored'),
      eb.fn
        .countAll<number>()
        .filterWhere('prefix_id', '=', prefix.id)
        .filterWhere('revoked_at', 'is', null)
        .filterWhere('valid_until', '>', now)
        .as('inEffect'),
    ])
    .where('account_id', '=', prefix.account_id)
    .executeTakeFirstOrThrow()
  if (inEffect >= MOST_IN_EFFECT)
    throw conflict(
      `${inEffect} letters of authorization for this prefix are in effect. Revoke one first.`,
      'limit_reached',
    )
  if (stored >= MOST_STORED)
    throw conflict(
      `The account has ${stored} letters of authorization, which are kept permanently. Contact support for more.`,
      'limit_reached',
    )
}

interface OwnLoa {
  /** Null: staff, who may read all letters. */
  readonly accountId: AccountId | null
  readonly prefixId: number
  readonly loa: number
}

/** Revoking again changes nothing. */
export async function revokeLoa(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  which: OwnLoa & { readonly accountId: AccountId },
): Promise<Loa> {
  const revoked = await db
    .updateTable('loas')
    .set({ revoked_at: deps.clock.now() })
    .where('id', '=', which.loa)
    .where('prefix_id', '=', which.prefixId)
    .where('account_id', '=', which.accountId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'account_id', 'prefix', 'signatory_name'])
    .executeTakeFirst()
  if (revoked) {
    const { id, account_id, prefix, signatory_name: signatory } = revoked
    const subject = { id: which.prefixId, account_id, value: valueOf({ value: prefix }) }
    await recordLoa(db, actor, subject, 'revoked', { loa: id, signatory })
  }
  return ownLoa(deps, db, which)
}

/** Newest first. `accountId` is null for staff. */
export async function listLoas(
  deps: TransitWriter,
  db: Db,
  { accountId, prefixId }: Pick<OwnLoa, 'accountId' | 'prefixId'>,
): Promise<Loa[]> {
  const rows = await selectLoas(db)
    .where('loa.prefix_id', '=', prefixId)
    .$if(accountId !== null, (query) => query.where('loa.account_id', '=', accountId!))
    .orderBy('loa.id', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => view(deps, row))
}

async function ownLoa(deps: TransitWriter, db: Db, { accountId, prefixId, loa }: OwnLoa): Promise<Loa> {
  const row = await selectLoas(db)
    .where('loa.id', '=', loa)
    .where('loa.prefix_id', '=', prefixId)
    .$if(accountId !== null, (query) => query.where('loa.account_id', '=', accountId!))
    .executeTakeFirst()
  if (!row) throw notFound()
  return view(deps, row)
}

/** Returns the file as it was signed, so that it matches the digest on the verification page. */
export async function loaFile(db: Db, { accountId, prefixId, loa }: OwnLoa): Promise<FileAnswer> {
  const row = await db
    .selectFrom('loas')
    .select(['prefix', 'pdf'])
    .where('id', '=', loa)
    .where('prefix_id', '=', prefixId)
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()
  if (!row) throw notFound()
  return { name: `loa-${valueOf({ value: row.prefix }).replaceAll(/[/:]+/g, '-')}-${loa}.pdf`, body: row.pdf }
}

/** For anybody who has the letter. Reveals nothing beyond the letter except whether it is in effect. */
export async function verifyLoa(deps: TransitWriter, db: Db, ip: string, code: string): Promise<VerifiedLoa> {
  if (!(await take(db, VERIFYING, networkOf(ip), deps.clock.now())))
    throw tooMany('Too many letters were looked up. Wait a moment and try again.', VERIFYING.refillMs / 1000)
  const row = await selectLoas(db).where('loa.code', '=', code.toLowerCase()).executeTakeFirst()
  if (!row) throw new Problem(404, 'No letter of authorization has this code. Compare it with the letter.')
  return viewFacts(deps, row)
}

const selectLoas = (db: Db) =>
  db
    .selectFrom('loas as loa')
    .innerJoin('transit_prefixes as prefix', 'prefix.id', 'loa.prefix_id')
    .innerJoin('users as owner', 'owner.account_id', 'loa.account_id')
    .leftJoin('asn_ownerships as ownership', (join) =>
      join.onRef('ownership.account_id', '=', 'loa.account_id').on('ownership.verified_at', 'is not', null),
    )
    .select([
      'loa.id',
      'loa.account_id',
      'loa.prefix_id',
      'loa.prefix',
      'loa.origin_asn',
      'loa.customer_asn',
      'loa.proof_method',
      'loa.asn_verified_at',
      'loa.holder',
      'loa.holder_registry',
      'loa.operator_name',
      'loa.operator_asn',
      'loa.signatory_name',
      'loa.signatory_title',
      'loa.text_version',
      'loa.paragraphs',
      'loa.evidence',
      'loa.signed_at',
      'loa.valid_until',
      'loa.code',
      'loa.pdf_sha256',
      'loa.revoked_at',
      'prefix.status',
      'prefix.origin_asn as current_origin',
      'ownership.asn as current_asn',
    ])
    .select(sql<boolean>`owner.closed_at is not null or ${suspendedByStaff('loa.account_id')}`.as('held'))

function stateOf(row: LoaRow, now: Date): LoaState {
  if (row.revoked_at) return 'REVOKED'
  if (row.valid_until <= now) return 'EXPIRED'
  const inEffect =
    allowsLoa(row.status) && !row.held && row.current_origin === row.origin_asn && row.current_asn === row.customer_asn
  if (!inEffect) return 'VOID'
  // The page shows the operator's name, and anybody can request a stranger's space and sign a letter for it.
  return row.status === 'APPROVED' ? 'VALID' : 'UNAPPROVED'
}

const viewFacts = ({ clock }: Pick<TransitWriter, 'clock'>, row: LoaRow): VerifiedLoa => ({
  state: stateOf(row, clock.now()),
  prefix: valueOf({ value: row.prefix }),
  originAsn: row.origin_asn,
  customerAsn: row.customer_asn,
  proof: proofSentence({ asn: row.customer_asn, method: row.proof_method, verifiedAt: row.asn_verified_at }),
  holder: row.holder === null ? null : { name: row.holder, registry: row.holder_registry ?? '' },
  operator: { name: row.operator_name, asn: row.operator_asn },
  signatory: { name: row.signatory_name, title: row.signatory_title },
  signedAt: row.signed_at.toISOString(),
  validUntil: row.valid_until.toISOString(),
  revokedAt: row.revoked_at?.toISOString() ?? null,
  sha256: row.pdf_sha256,
})

const view = (deps: TransitWriter, row: LoaRow): Loa => ({
  id: row.id,
  verifyUrl: verifyUrl(deps, row.code),
  ...viewFacts(deps, row),
})

const verifyUrl = ({ publicUrl }: Pick<TransitWriter, 'publicUrl'>, code: string): string =>
  `${publicUrl()}/loa/${code}`
const digestOf = (paragraphs: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([TEXT_VERSION, ...paragraphs]))
    .digest('hex')

/** Returns what a letter for this prefix may say now. Throws 409 where there is nothing to authorize. */
async function readFacts({ clock, config, operator }: TransitWriter, db: Db, row: PrefixRow) {
  const now = clock.now()
  if (!allowsLoa(row.status))
    throw conflict(`It is ${STATUS_LABELS[row.status]}: only a pending or approved prefix can be authorized.`)
  if (row.origin_asn === null) throw conflict('It has no origin ASN yet.')
  const ownership = await readAsnOwnership(db, row.account_id, now)
  if (!ownership?.verifiedAt) throw conflict('The ASN of the account is not verified.')
  if (ownership.risk) throw conflict('The proof of your ASN is no longer valid. Prove the ASN again, then sign.')
  const { verification } = ownership
  const proved = verification?.state === 'verified' ? verification : null
  const registration = await db
    .selectFrom('prefix_registrations')
    .select(['holder', 'registry', 'answered_at'])
    .where('prefix_id', '=', row.id)
    .where('placeholder', '=', false)
    .executeTakeFirst()
  const holder =
    registration?.holder && registration.answered_at
      ? { name: registration.holder, registry: registration.registry ?? 'RDAP', at: registration.answered_at }
      : null
  const prefix = valueOf(row)
  return {
    subject: {
      prefix,
      originAsn: row.origin_asn,
      operator: { name: config.OPERATOR_NAME ?? config.PRODUCT_NAME, asn: operator.asn },
    },
    proof: {
      asn: ownership.asn,
      method: proved?.method ?? null,
      verifiedAt: proved?.verifiedAt ?? ownership.verifiedAt,
    },
    holder,
    evidence: evidenceLines({
      prefix,
      approved: row.status === 'APPROVED',
      holder,
      rpki: row.rpki_status,
      irr: row.irr_status,
      evidence: (await readEvidence(db, row.id)).filter((one) => isCurrent(one, now)),
    }),
  }
}
