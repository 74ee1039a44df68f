import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { ToolServer } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ServerTools } from '#pages/tools/server-tools.tsx';
import { ToolServerForm } from '#pages/tools/tool-server-form.tsx';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { plural } from '#ui/plural.ts';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** A tool server with its actions. */
export function ToolServerItem({ server }: { readonly server: ToolServer }) {
  const { id, name, kind, url, toolCount, enabledToolCount, changedToolCount, notes, refreshedAt } = server;
  const isNew = refreshedAt === null;
  const [opened, setOpened] = useState<'tools' | 'edit'>();
  const test = useChange(() => lectern().toolServers.test(id), []);
  const refresh = useChange(
    () => lectern().toolServers.refresh(id),
    ['tool-servers'],
    () => setOpened('tools'),
  );
  const remove = useChange(() => lectern().toolServers.delete(id), ['tool-servers']);
  return (
    <li className="card stack">
      <div>
        <h2>{name}</h2>
        <p className="muted small">
          {kind === 'mcp' ? 'MCP' : 'HTTP API'} · <code>{url}</code>
        </p>
        <p className="muted small">
          {refreshedAt === null ? (
            'Its tools are not listed yet.'
          ) : (
            <>
              {plural(toolCount, 'tool')}, {enabledToolCount} enabled · listed <Ago time={refreshedAt} />
            </>
          )}
        </p>
      </div>
      {changedToolCount > 0 ? (
        <p className="notice notice-warn">
          {plural(changedToolCount, 'tool')} changed and cannot be used. Read the new definition and enable it again.
        </p>
      ) : null}
      {notes.length > 0 ? (
        <details>
          <summary>{plural(notes.length, 'note')} about the last listing</summary>
          <ul className="bullets">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {test.data === undefined ? null : (
        <p className={`notice ${test.data.success ? 'notice-good' : 'notice-error'}`} role="status">
          {test.data.success
            ? `The connection works: ${plural(test.data.toolCount, 'tool')} in ${test.data.latencyMs} ms.`
            : `The connection failed. ${test.data.error?.message ?? ''}`}
        </p>
      )}
      {[test.error, refresh.error].map((error) => (error ? <ErrorNotice key={error.message} error={error} /> : null))}
      <div className="row row-end">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <Button isPrimary={isNew} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
          {isNew ? 'List tools' : 'Refresh tools'}
        </Button>
        {isNew ? null : <Button onClick={() => setOpened('tools')}>Choose tools</Button>}
        <Button onClick={() => setOpened('edit')}>Edit</Button>
        <Confirm label="Delete" question={`Delete ${name}?`} done={`${name} is deleted.`} mutation={remove}>
          <p>Agents can no longer use its tools.</p>
        </Confirm>
      </div>
      <Sheet
        title={
          <>
            Tools of {name} {changedToolCount > 0 ? <StatusBadge status="paused" label="changed" /> : null}
          </>
        }
        description="Descriptions and schemas come from the server."
        isOpen={opened === 'tools'}
        onOpenChange={() => setOpened(undefined)}
      >
        <ServerTools serverId={id} />
      </Sheet>
      <Sheet title={`Edit ${name}`} isOpen={opened === 'edit'} onOpenChange={() => setOpened(undefined)}>
        <ToolServerForm server={server} onDone={() => setOpened(undefined)} />
      </Sheet>
    </li>
  );
}
