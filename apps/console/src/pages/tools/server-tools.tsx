import { lectern } from '#api/lectern.ts';
import type { ServerTool } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const TONES: Partial<Readonly<Record<ServerTool['status'], string>>> = {
  changed: 'paused',
  missing: 'failed',
  unusable: 'failed',
};

/** The tools of a server, to enable and to mark as changing something. */
export function ServerTools({ serverId }: { readonly serverId: string }) {
  const paging = usePaged(['tool-servers', 'tools', serverId], (page, options) =>
    lectern().toolServers.tools(serverId, { page, limit: 20 }, options),
  );
  return (
    <Listing paging={paging} what="tools" empty={<Empty title="The server lists no tools" />}>
      {(items) => (
        <ul className="plain-list">
          {items.map((tool) => (
            <ToolItem key={tool.name} tool={tool} />
          ))}
        </ul>
      )}
    </Listing>
  );
}

function ToolItem({ tool }: { readonly tool: ServerTool }) {
  const { serverId, name, nameAtServer, description, inputSchema, operation, status, version } = tool;
  const { changesSomething, readOnlyHint, problem } = tool;
  const change = useChange(
    (body: { enabled?: boolean; changesSomething?: boolean }) =>
      lectern().toolServers.updateTool(serverId, name, { ...body, version }),
    ['tool-servers'],
  );
  return (
    <li className="card stack">
      <p className="row">
        <strong>{nameAtServer}</strong>
        {TONES[status] === undefined ? null : <StatusBadge status={TONES[status]} label={status} />}
      </p>
      <p className="muted small">
        <code>{name}</code>
        {operation === null ? '' : ` · ${operation}`}
      </p>
      <p className="document-text">{description}</p>
      <details>
        <summary>Arguments</summary>
        <pre className="step-data">{JSON.stringify(inputSchema, null, 1)}</pre>
      </details>
      {problem === null ? null : <p className="notice notice-error">{problem}</p>}
      {change.error ? <ErrorNotice error={change.error} /> : null}
      {status === 'changed' ? (
        <div className="row">
          <Button isPrimary isBusy={change.isPending} onClick={() => change.mutate({ enabled: true })}>
            Enable the new definition
          </Button>
          <Button disabled={change.isPending} onClick={() => change.mutate({ enabled: false })}>
            Disable
          </Button>
        </div>
      ) : null}
      {status === 'enabled' || status === 'disabled' || status === 'missing' ? (
        <Checkbox
          label="Agents can use it"
          isChecked={status === 'enabled'}
          onChange={(enabled) => change.mutate({ enabled })}
        />
      ) : null}
      <Checkbox
        label={`A person must approve each call${readOnlyHint === true ? ' (marked as read-only by the server)' : ''}`}
        isChecked={changesSomething}
        onChange={(isOn) => change.mutate({ changesSomething: isOn })}
      />
    </li>
  );
}
