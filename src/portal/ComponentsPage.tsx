/** All parts on one page, to look at: in both themes, at every width. Development builds only. */
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { notify } from './notifications.ts'
import { SAMPLE_ROUTERS, SAMPLE_STAGES, TERMS, type SampleRouter } from './components-samples.ts'
import { Amount } from './ui/Amount.tsx'
import { Button, IconButton } from './ui/Button.tsx'
import { Callout } from './ui/Callout.tsx'
import { Checkbox, ChoiceCards } from './ui/choices.tsx'
import { ChoiceWithFields } from './ui/ChoiceWithFields.tsx'
import { CodeBlock } from './ui/CodeBlock.tsx'
import { ConfirmByName } from './ui/ConfirmByName.tsx'
import { Copyable } from './ui/Copyable.tsx'
import { DataTable, type Column } from './ui/DataTable.tsx'
import { EmptyState, ErrorState } from './ui/EmptyState.tsx'
import { SelectField, TextAreaField, TextField } from './ui/Field.tsx'
import { Form } from './ui/Form.tsx'
import { Menu } from './ui/Menu.tsx'
import { PageHeader, Section } from './ui/PageHeader.tsx'
import { PropertyTable } from './ui/PropertyTable.tsx'
import { bitRate, gibibytes, mebibytes } from './ui/quantity.ts'
import { TableSkeleton } from './ui/Skeleton.tsx'
import { Sparkline } from './ui/Sparkline.tsx'
import { StageList, StageStrip } from './ui/StageList.tsx'
import { StatusBadge } from './ui/StatusBadge.tsx'
import { Tabs } from './ui/Tabs.tsx'
import { Time } from './ui/Time.tsx'
import { UsageBar } from './ui/UsageBar.tsx'

const ComboboxField = lazy(async () => ({ default: (await import('./ui/Combobox.tsx')).ComboboxField }))

const columns: readonly Column<SampleRouter>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (row) => (
      <a href={`#${row.name}`} className="row-link">
        {row.name}
      </a>
    ),
    sort: (row) => row.name,
    text: (row) => row.name,
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <StatusBadge tone={row.tone}>{row.state}</StatusBadge>,
    sort: (row) => row.state,
    text: (row) => row.state,
  },
  { id: 'address', header: 'Address', cell: (row) => <Copyable value={row.address} />, text: (row) => row.address },
  {
    id: 'memory',
    header: 'Memory',
    cell: (row) => <Amount of={mebibytes(row.memory)} />,
    sort: (row) => row.memory,
    align: 'right',
  },
  {
    id: 'traffic',
    header: 'Traffic',
    cell: (row) => <Sparkline values={row.traffic} label={`Traffic of ${row.name}`} />,
    wideOnly: true,
  },
  { id: 'created', header: 'Created', cell: (row) => <Time at={row.createdAt} />, sort: (row) => row.createdAt },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (row) => (
      <Menu
        label={`Actions for ${row.name}`}
        entries={[
          {
            label: 'Reboot',
            icon: 'refresh',
            onSelect: () => notify({ type: 'success', title: `${row.name} reboots` }),
          },
          { label: 'Start', icon: 'play', onSelect: () => undefined, disabledReason: 'It runs already.' },
          { label: 'Delete', icon: 'trash', danger: true, apart: true, onSelect: () => undefined },
        ]}
      />
    ),
  },
]

export function ComponentsPage() {
  const [deleting, setDeleting] = useState(false)
  return (
    <main className="mx-auto max-w-6xl px-4 py-6 md:px-8">
      <PageHeader
        above="Routers"
        title="edge-1"
        status={<StatusBadge tone="ok">Running</StatusBadge>}
        actions={
          <>
            <Button icon="power" disabledReason="It runs already.">
              Start
            </Button>
            <Button icon="terminal">Console</Button>
            <Menu
              label="More actions"
              text="More"
              entries={[{ label: 'Delete', danger: true, onSelect: () => setDeleting(true) }]}
            />
            <Button look="primary" icon="plus">
              Create router
            </Button>
          </>
        }
      />
      <PropertyTable
        items={[
          { label: 'Size', value: <Amount of={mebibytes(2048)} /> },
          { label: 'Disk', value: <Amount of={gibibytes(20)} /> },
          { label: 'Address', value: <Copyable value="203.0.113.12" /> },
          { label: 'Rate', value: <Amount of={bitRate(48_300_000)} /> },
          { label: 'UUID', value: <Copyable value="935499b3-fd96-432a-9c21-83a3dc1eece4" /> },
        ]}
      />
      <Section title="Stages" summary="The signature: a wish on its way to the world.">
        <StageList label="2d10:10::/32" stages={SAMPLE_STAGES} />
        <p className="mt-2">
          <StageStrip stages={SAMPLE_STAGES} />
        </p>
      </Section>
      <Section title="Table">
        <DataTable
          label="Routers"
          columns={columns}
          rows={SAMPLE_ROUTERS}
          rowKey={(row) => row.name}
          filter="Filter routers"
          initialSort={{ column: 'name', descending: false }}
          page={{ hasMore: true, busy: false, onMore: () => undefined, total: 240 }}
        />
      </Section>
      <Section title="States">
        <Row>
          <StatusBadge tone="ok">Running</StatusBadge>
          <StatusBadge tone="busy" note="12 s">
            Starting
          </StatusBadge>
          <StatusBadge tone="waiting">Pending</StatusBadge>
          <StatusBadge tone="warn">Needs action</StatusBadge>
          <StatusBadge tone="bad">Failed</StatusBadge>
          <StatusBadge tone="off">Stopped</StatusBadge>
          <StatusBadge tone="unknown">Unknown</StatusBadge>
        </Row>
        <div className="mt-3 grid max-w-md gap-2">
          <UsageBar used={0.42} label="CPU" />
          <UsageBar used={0.88} label="Memory" detail="113 of 128 GiB" />
          <UsageBar used={0.97} label="IPv4" />
        </div>
      </Section>
      <Section title="Buttons">
        <Row>
          <Button look="primary">Primary</Button>
          <Button>Plain</Button>
          <Button look="quiet">Quiet</Button>
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete router
          </Button>
          <Button look="primary" busy>
            Saving
          </Button>
          <Button size="sm">Small</Button>
          <IconButton icon="refresh" label="Read again" />
          <Button
            onClick={() =>
              notify({
                type: 'error',
                title: 'Bad Request',
                body: 'The request was malformed.',
                detail: 'name: is taken',
              })
            }
          >
            Fail
          </Button>
        </Row>
      </Section>
      <Section title="Form">
        <Form
          className="grid max-w-xl gap-4"
          onSubmit={() => Promise.reject(new Error('no'))}
          explain={() => ({
            fields: { name: 'Another router has this name.' },
            message: 'The router was not created.',
          })}
        >
          <TextField
            label="Router name"
            name="name"
            hint="Letters, digits and hyphens."
            defaultValue="edge-1"
            required
          />
          <SelectField
            label="Site"
            name="site"
            choices={[
              { value: 'ams', label: 'Amsterdam' },
              { value: 'fra', label: 'Frankfurt' },
            ]}
          />
          <Suspense>
            <ComboboxField
              label="Image"
              name="image"
              items={['BIRD 2', 'FRR 10', 'OpenBGPD', 'VyOS'].map((label) => ({ value: label, label }))}
            />
          </Suspense>
          <ChoiceCards
            legend="Plan"
            name="plan"
            columns={2}
            defaultValue="s"
            options={[
              { value: 's', label: 'Small', detail: '1 core, 1 GiB', aside: '€9 a month' },
              { value: 'm', label: 'Medium', detail: '2 cores, 4 GiB', aside: '€19 a month' },
              { value: 'l', label: 'Large', disabledReason: 'No room at this site.', aside: '€39 a month' },
            ]}
          />
          <ChoiceWithFields legend="Price" name="price" columns={2} defaultValue="list" fieldsOf="own" options={TERMS}>
            <TextField label="A month" name="month" required hint="Keeps what was typed while the other is chosen" />
          </ChoiceWithFields>
          <TextAreaField label="SSH keys" name="keys" mono optional placeholder="ssh-ed25519 AAAA…" />
          <Checkbox label="Start it at once" name="start" hint="Otherwise it stays off until you start it." />
          <Row>
            <Button type="submit" look="primary">
              Create router
            </Button>
          </Row>
        </Form>
      </Section>
      <Section title="Tabs and code">
        <Tabs
          label="Router"
          tabs={[
            {
              id: 'config',
              label: 'Configuration',
              content: (
                <CodeBlock
                  label="Session"
                  snippets={[
                    {
                      label: 'BIRD 2',
                      text: 'protocol bgp longhaul4 {\n  local as 500010;\n  neighbor 203.0.113.1 as 500000;\n  ipv4 { import all; export where source = RTS_STATIC; };\n}',
                    },
                    { label: 'FRR', text: 'router bgp 500010\n neighbor 203.0.113.1 remote-as 500000' },
                  ]}
                />
              ),
            },
            { id: 'events', label: 'Events', content: <TableSkeleton rows={3} /> },
          ]}
        />
      </Section>
      <Section title="Words">
        <div className="grid gap-3">
          <Callout>Sessions take up to a minute to come up after a reboot.</Callout>
          <Callout tone="warn" title="ROA expires in 3 days">
            Renew it at your registry, or the prefix will be withdrawn.
          </Callout>
          <ErrorState retry={<Button size="sm">Try again</Button>}>
            The metrics of this router could not be read.
          </ErrorState>
          <EmptyState icon="router" title="No routers yet" action={<Button look="primary">Create router</Button>}>
            A virtual router speaks BGP with our edge and carries your prefixes. From €9 a month, ready in a minute.
          </EmptyState>
        </div>
      </Section>
      <ConfirmByName
        open={deleting}
        onClose={() => setDeleting(false)}
        title="Delete edge-1"
        name="edge-1"
        action="Delete router"
        consequences={[
          'Its disk is erased.',
          'Its addresses 203.0.113.12 and 2001:db8:100::12 are released.',
          'Both BGP sessions end, and 3 prefixes are no longer announced.',
        ]}
        onConfirm={() => Promise.resolve()}
      />
    </main>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)
