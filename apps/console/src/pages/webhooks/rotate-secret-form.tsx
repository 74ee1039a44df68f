import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Webhook, WebhookWithSecret } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const OVERLAPS = [
  { value: '0', label: t('webhooks.ends.now') },
  { value: '3600', label: t('webhooks.ends.hour') },
  { value: '86400', label: t('webhooks.ends.day') },
  { value: '604800', label: t('webhooks.ends.week') },
];

/** Creates a new secret. The old one also signs for a selectable time. */
export function RotateSecretForm({
  webhook: { id, url },
  onDone,
}: {
  readonly webhook: Webhook;
  readonly onDone: (webhook: WebhookWithSecret) => void;
}) {
  const [overlap, setOverlap] = useState('86400');
  const rotate = useChange(
    () => lectern().webhooks.rotateSecret(id, { overlapSeconds: Number(overlap) }),
    ['webhooks'],
    onDone,
  );
  return (
    <Form mutation={rotate} label={t('webhooks.rotate')}>
      <p>{t('webhooks.rotateHint', { host: new URL(url).host })}</p>
      <SelectField label={t('webhooks.oldEnds')} value={overlap} options={OVERLAPS} onChange={setOverlap} />
    </Form>
  );
}
