import { lectern } from '#api/lectern.ts';
import type { ServerTool } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const BADGES: Partial<Readonly<Record<ServerTool['status'], { readonly status: string; readonly label: string }>>> = {
  changed: { status: 'paused', label: t('tools.statuses.changed') },
  missing: { status: 'failed', label: t('tools.statuses.missing') },
  unusable: { status: 'failed', label: t('tools.statuses.unusable') },
};

/** The tools of a server, to enable and to mark as changing something. */
export function ServerTools({ serverId }: { readonly serverId: string }) {
  const paging = usePaged(['tool-servers', 'tools', serverId], (page, options) =>
    lectern().toolServers.tools(serverId, { page, limit: 20 }, options),
  );
  return (
    <Listing paging={paging} what={t('tools.what.tools')} empty={<Empty title={t('tools.noTools')} />}>
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
        {BADGES[status] === undefined ? null : <StatusBadge {...BADGES[status]} />}
      </p>
      <p className="muted small">
        <code>{name}</code>
        {operation === null ? '' : ` · ${operation}`}
      </p>
      <p className="document-text">{description}</p>
      <details>
        <summary>{t('tools.arguments')}</summary>
        <pre className="step-data">{JSON.stringify(inputSchema, null, 1)}</pre>
      </details>
      {problem === null ? null : <p className="notice notice-error">{problem}</p>}
      {change.error ? <ErrorNotice error={change.error} /> : null}
      {status === 'changed' ? (
        <div className="row">
          <Button isPrimary isBusy={change.isPending} onClick={() => change.mutate({ enabled: true })}>
            {t('tools.enableNew')}
          </Button>
          <Button disabled={change.isPending} onClick={() => change.mutate({ enabled: false })}>
            {t('tools.disable')}
          </Button>
        </div>
      ) : null}
      {status === 'enabled' || status === 'disabled' || status === 'missing' ? (
        <Checkbox
          label={t('tools.agentsCanUse')}
          isChecked={status === 'enabled'}
          onChange={(enabled) => change.mutate({ enabled })}
        />
      ) : null}
      <Checkbox
        label={t(readOnlyHint === true ? 'tools.needsApprovalReadOnly' : 'tools.needsApproval')}
        isChecked={changesSomething}
        onChange={(isOn) => change.mutate({ changesSomething: isOn })}
      />
    </li>
  );
}
