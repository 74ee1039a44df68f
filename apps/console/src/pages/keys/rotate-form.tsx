import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const OVERLAPS = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
];

/** Rotates a key pair. The old keys remain valid for a selectable time. */
export function RotateForm({
  pair: { id, name },
  onDone,
}: {
  readonly pair: KeyPair;
  readonly onDone: (pair: NewKeyPair) => void;
}) {
  const [overlap, setOverlap] = useState('86400');
  const rotate = useChange(() => lectern().keys.rotate(id, { overlapSeconds: Number(overlap) }), ['api-keys'], onDone);
  return (
    <Form mutation={rotate} label="Rotate">
      <p>“{name}” gets new keys and keeps its name, scope and limits.</p>
      <SelectField label="The old keys stop working" value={overlap} options={OVERLAPS} onChange={setOverlap} />
    </Form>
  );
}
