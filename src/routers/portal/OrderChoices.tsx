import { formatMoney } from '../../kernel/money.ts'
import { Checkbox, ChoiceCards } from '../../ui/components/choices.tsx'
import { TextAreaField, TextField } from '../../ui/components/Field.tsx'
import type { Catalogue } from '../contract.ts'
import { SAVED_KEYS } from './order.ts'
import { planSize } from './plan-size.ts'
import { hourly, monthly } from './prices.ts'

export const NameField = ({ value }: { value?: string }) => (
  <TextField
    label="Router name"
    name="name"
    required
    maxLength={63}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    placeholder="edge-1"
    hint="Letters, digits and hyphens. Also used as the host name."
    {...(value === undefined ? {} : { defaultValue: value })}
  />
)

export const SiteChoice = ({ sites }: Pick<Catalogue, 'sites'>) => (
  <ChoiceCards
    legend="Site"
    name="site"
    columns={3}
    {...chosen(sites.find((site) => site.available)?.slug)}
    options={sites.map((site) => ({
      value: site.slug,
      label: site.name,
      disabledReason: site.available ? null : 'Not accepting new routers right now.',
    }))}
  />
)

export const PlanChoice = ({
  plans,
  currency,
  value,
  onChange,
  refuse = () => null,
  setup = false,
}: Pick<Catalogue, 'plans' | 'currency'> & {
  value?: string | undefined
  onChange?: (slug: string) => void
  /** Why a plan cannot be chosen. */
  refuse?: (plan: Catalogue['plans'][number]) => string | null
  /** Whether choosing a plan is an order. A change of plan has no setup fee. */
  setup?: boolean
}) => (
  <ChoiceCards
    legend="Plan"
    name="plan"
    columns={2}
    {...chosen(value)}
    {...(onChange ? { onChange } : {})}
    options={plans.map((plan) => ({
      value: plan.slug,
      label: plan.name,
      detail: planSize(plan),
      disabledReason: refuse(plan),
      aside: (
        <span className="block text-right">
          <span className="text-faint">up to </span>
          <span className="font-medium text-ink">{monthly(plan, currency)}</span>
          <span className="text-faint"> a month</span>
          <span className="block text-xs text-faint">{hourly(plan, currency)}</span>
          {setup && plan.setupPrice > 0 && (
            <span className="block text-xs text-dim">
              {formatMoney({ amount: plan.setupPrice, currency })} one-time setup fee
            </span>
          )}
        </span>
      ),
    }))}
  />
)

export const ImageChoice = ({ images }: Pick<Catalogue, 'images'>) => (
  <ChoiceCards
    legend="Image"
    name="image"
    columns={images.length > 1 ? 2 : 1}
    {...chosen(images[0]?.slug)}
    options={images.map((image) => ({ value: image.slug, label: image.name, detail: image.description }))}
  />
)

/** `known` are the account's keys: all are selected unless the user changes that. */
export const SshKeysField = ({ known }: { known: readonly { id: number; name: string; publicKey: string }[] }) => (
  <fieldset className="grid min-w-0 gap-3">
    {known.length > 0 && (
      <>
        <legend className="mb-1.5 text-sm font-medium">SSH keys of your account</legend>
        <div className="grid gap-1.5">
          {known.map(({ id, name, publicKey }) => (
            <Checkbox key={id} label={name} name={SAVED_KEYS} value={publicKey} defaultChecked />
          ))}
        </div>
      </>
    )}
    <KeysField others={known.length > 0} />
  </fieldset>
)

const KeysField = ({ others }: { others: boolean }) => (
  <TextAreaField
    label={others ? 'Other SSH keys' : 'SSH keys'}
    name="sshKeys"
    mono
    optional
    rows={3}
    spellCheck={false}
    autoComplete="off"
    placeholder="ssh-ed25519 AAAA… you@laptop"
    hint={
      others
        ? 'One public key per line, for this router alone.'
        : 'One public key per line, as in ~/.ssh/id_ed25519.pub. Without a key, only console access works.'
    }
  />
)

const chosen = (slug: string | undefined): { defaultValue?: string } =>
  slug === undefined ? {} : { defaultValue: slug }
