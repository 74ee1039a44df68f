import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Webhook, WebhookWithSecret } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const OVERLAPS = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
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
    <Form mutation={rotate} label="Rotate">
      <p>{new URL(url).host} gets a new secret. Until the old one ends, requests have a signature of each.</p>
      <SelectField label="The old secret ends" value={overlap} options={OVERLAPS} onChange={setOverlap} />
    </Form>
  );
}
