import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'In an hour' },
  { value: '86400', label: 'In a day' },
  { value: '604800', label: 'In a week' },
];

/** Asks for how long the old keys of a pair work on. */
export function RotateForm({
  isBusy,
  error,
  onRotate,
}: {
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onRotate: (overlapSeconds: number) => void;
}) {
  const [overlap, setOverlap] = useState('86400');
  return (
    <div className="stack">
      <p>The pair gets new keys, and keeps its name, scope and limits.</p>
      <SelectField label="The old keys stop working" value={overlap} options={OVERLAPS} onChange={setOverlap} />
      {error ? <ErrorNotice error={error} /> : null}
      <div className="row row-end">
        <Button isPrimary isBusy={isBusy} onClick={() => onRotate(Number(overlap))}>
          Rotate
        </Button>
      </div>
    </div>
  );
}
