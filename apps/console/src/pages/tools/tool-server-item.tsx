import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { ToolServer } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ServerTools } from '#pages/tools/server-tools.tsx';
import { ToolServerForm } from '#pages/tools/tool-server-form.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RichText } from '#ui/rich-text.tsx';
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
          {t(`tools.protocols.${kind}`)} · <code>{url}</code>
        </p>
        <p className="muted small">
          {refreshedAt === null ? (
            t('tools.notListed')
          ) : (
            <RichText
              name="tools.listed"
              count={toolCount}
              values={{ enabled: enabledToolCount }}
              elements={{ ago: <Ago time={refreshedAt} /> }}
            />
          )}
        </p>
      </div>
      {changedToolCount > 0 ? (
        <p className="notice notice-warn">{t('tools.changed', { count: changedToolCount })}</p>
      ) : null}
      {notes.length > 0 ? (
        <details>
          <summary>{t('tools.notes', { count: notes.length })}</summary>
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
            ? t('tools.works', { count: test.data.toolCount, ms: test.data.latencyMs })
            : t('tools.failed', { reason: test.data.error?.message ?? '' })}
        </p>
      )}
      {[test.error, refresh.error].map((error) => (error ? <ErrorNotice key={error.message} error={error} /> : null))}
      <div className="row row-end">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {t('tools.test')}
        </Button>
        <Button isPrimary={isNew} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t(isNew ? 'tools.list' : 'tools.refresh')}
        </Button>
        {isNew ? null : <Button onClick={() => setOpened('tools')}>{t('tools.choose')}</Button>}
        <Button onClick={() => setOpened('edit')}>{t('tools.edit')}</Button>
        <Confirm
          label={t('tools.delete')}
          question={t('tools.deleteQuestion', { name })}
          done={t('tools.deleted', { name })}
          mutation={remove}
        >
          <p>{t('tools.deleteHint')}</p>
        </Confirm>
      </div>
      <Sheet
        title={
          <>
            {t('tools.toolsOf', { name })}{' '}
            {changedToolCount > 0 ? <StatusBadge status="paused" label={t('tools.statuses.changed')} /> : null}
          </>
        }
        description={t('tools.toolsHint')}
        isOpen={opened === 'tools'}
        onOpenChange={() => setOpened(undefined)}
      >
        <ServerTools serverId={id} />
      </Sheet>
      <Sheet
        title={t('tools.editTitle', { name })}
        isOpen={opened === 'edit'}
        onOpenChange={() => setOpened(undefined)}
      >
        <ToolServerForm server={server} onDone={() => setOpened(undefined)} />
      </Sheet>
    </li>
  );
}
