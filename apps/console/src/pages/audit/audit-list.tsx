import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { AuditEvent } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { downloadAudit } from '#pages/audit/download-audit.ts';
import { audit } from '#texts/en/audit.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const isNamed = (type: string): type is keyof typeof audit.resources => Object.hasOwn(audit.resources, type);

/** Returns the name of a type of resource, or its code if it has none. */
const resourceText = (type: string): string =>
  isNamed(type) ? t(`audit.resources.${type}`) : type.replaceAll('_', ' ');

const COLUMNS: readonly Column<AuditEvent>[] = [
  { name: t('ui.time'), cell: ({ createdAt }) => dateTimeText(createdAt) },
  { name: t('audit.action'), cell: ({ action }) => action },
  {
    name: t('audit.resource'),
    cell: ({ resource }) => (
      <>
        {resourceText(resource.type)} <code>{resource.id}</code>
      </>
    ),
  },
  {
    name: t('audit.by'),
    cell: ({ actor }) => (
      <>
        {actor.name} <span className="muted small">{actor.user ?? actor.keyId ?? t('audit.commandLine')}</span>
      </>
    ),
  },
  { name: t('audit.ipAddress'), cell: ({ ip }) => ip },
];

/** The audit log. */
export function AuditList() {
  const [action, setAction] = useState('');
  const [resourceId, setResourceId] = useState('');
  const paging = usePaged(['audit', action, resourceId], (page, options) =>
    lectern().analytics.audit(
      { page, limit: 25, ...(action === '' ? {} : { action }), ...(resourceId === '' ? {} : { resourceId }) },
      options,
    ),
  );
  const filter = (set: (value: string) => void) => (value: string) => {
    paging.setPage(1);
    set(value.trim());
  };
  const download = useChange(() => downloadAudit({ action, resourceId }), ['audit']);
  return (
    <div className="stack">
      <div className="row row-end">
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          {t('audit.export')}
        </Button>
      </div>
      {download.error ? <ErrorNotice error={download.error} /> : null}
      <div className="form-grid">
        <TextField
          label={t('audit.action')}
          value={action}
          onChange={filter(setAction)}
          placeholder="createConnector"
        />
        <TextField label={t('audit.resourceId')} value={resourceId} onChange={filter(setResourceId)} />
      </div>
      <Listing
        paging={paging}
        what={t('audit.what')}
        empty={<Empty title={t(action === '' && resourceId === '' ? 'audit.noChanges' : 'audit.noMatchingChanges')} />}
      >
        {(items) => <Table caption={t('audit.auditLog')} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Listing>
    </div>
  );
}
