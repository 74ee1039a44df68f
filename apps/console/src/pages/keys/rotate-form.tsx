import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const OVERLAPS = [
  { value: '0', label: t('keys.overlaps.none') },
  { value: '3600', label: t('keys.overlaps.hour') },
  { value: '86400', label: t('keys.overlaps.day') },
  { value: '604800', label: t('keys.overlaps.week') },
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
    <Form mutation={rotate} label={t('keys.rotate')}>
      <p>{t('keys.rotateEffect', { name })}</p>
      <SelectField label={t('keys.overlap')} value={overlap} options={OVERLAPS} onChange={setOverlap} />
    </Form>
  );
}
