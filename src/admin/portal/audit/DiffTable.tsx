import type { Change } from './describe-change.ts'

/** Shows values before and after, side by side. The headings distinguish them, not only the colors. */
export const DiffTable = ({ changes }: { changes: readonly Change[] }) => (
  <div className="overflow-x-auto rounded-md border border-line">
    <table aria-label="Changes" className="w-full border-collapse text-left text-sm">
      <thead>
        <tr className="border-b border-line bg-sunken text-xs text-dim">
          <th scope="col" className="h-8 px-3 font-medium">
            Field
          </th>
          <th scope="col" className="px-3 font-medium">
            Before
          </th>
          <th scope="col" className="px-3 font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.name} className="border-b border-line align-top last:border-0">
            <th scope="row" className="px-3 py-1.5 font-normal text-dim">
              {change.name || 'value'}
            </th>
            <td className="bg-bad-soft px-3 py-1.5 wrap-anywhere">
              {change.before === null ? <Nothing /> : <del className="no-underline">{change.before}</del>}
            </td>
            <td className="bg-ok-soft px-3 py-1.5 wrap-anywhere">
              {change.after === null ? <Nothing /> : <ins className="no-underline">{change.after}</ins>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Nothing = () => <span className="text-dim">nothing</span>
