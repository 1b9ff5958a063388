import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { RouterDetail } from '../contract.ts'
import { catalogue, routerDetail, routers } from './api.ts'
import { cacheRouter } from './deleted-router.ts'
import { NameField } from './OrderChoices.tsx'
import { PlanChange } from './PlanChange.tsx'
import { PowerActions } from './PowerActions.tsx'
import { blockedReason } from './router-labels.ts'
import { RouterHeader } from './RouterHeader.tsx'

const route = getRouteApi('/_signed-in/_verified/routers/$id/edit')

export function EditRouterPage() {
  const { id } = route.useParams()
  const { data: router } = useSuspenseQuery(routerDetail(id))
  const { data: offer } = useSuspenseQuery(catalogue())
  const save = useSave(router)
  return (
    <>
      <RouterHeader router={router} part="Edit" actions={<PowerActions router={router} />} />
      <div className="max-w-3xl">
        <Section title="Name">
          <Form
            onSubmit={(values, submission) => save({ name: values.text('name') }, submission)}
            explain={explainFailure}
            label="Rename"
            className="grid max-w-md gap-3"
          >
            {({ busy }) => (
              <>
                <NameField value={router.name} />
                <div>
                  <Button type="submit" variant="primary" busy={busy} disabledReason={blockedReason(router, 'rename')}>
                    Rename
                  </Button>
                </div>
              </>
            )}
          </Form>
        </Section>
        <Section title="Plan" summary="Disks can’t shrink. The new price applies from the change.">
          {router.state !== 'STOPPED' && (
            <div className="mb-3">
              <Callout>The plan can be changed while the router is stopped. It keeps its addresses.</Callout>
            </div>
          )}
          <Form
            onSubmit={(values: FormValues, submission) => save({ plan: values.text('plan') }, submission)}
            explain={explainFailure}
            label="Change plan"
          >
            {({ busy }) => <PlanChange router={router} offer={offer} busy={busy} />}
          </Form>
        </Section>
      </div>
    </>
  )
}

function useSave(router: RouterDetail) {
  const queries = useQueryClient()
  const navigation = useRouter()
  return async (body: { name?: string; plan?: string }, submission: Submission) => {
    const input = { params: { id: router.id }, body }
    const saved = await routers.call['PATCH /api/virtual_machines/{id}'](input, submission)
    cacheRouter(queries, saved)
    await navigation.navigate({ to: '/routers/$id', params: { id: router.id } })
    notify({
      type: 'success',
      title: body.name === undefined ? `${saved.name} is changing to ${saved.labels.plan}` : `Renamed to ${saved.name}`,
    })
  }
}
