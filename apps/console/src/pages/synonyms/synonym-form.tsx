import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Synonym } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { SelectField, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const DIRECTIONS = [
  { value: 'two-way', label: 'Each word also finds the others' },
  { value: 'one-way', label: 'Some words also find others, but not the reverse' },
];

/** Terms can contain commas, so each has its own line. */
const termsOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

/** Creates or edits a custom synonym. */
export function SynonymForm({
  synonym,
  query,
  onDone,
}: {
  readonly synonym?: Synonym;
  /** A query that should find more: the beginning of a new one-way synonym. */
  readonly query?: string | undefined;
  readonly onDone: () => void;
}) {
  const isOneWayAtFirst = query !== undefined || (synonym !== undefined && synonym.input.length > 0);
  const [direction, setDirection] = useState(isOneWayAtFirst ? 'one-way' : 'two-way');
  const [input, setInput] = useState(synonym?.input.join('\n') ?? query ?? '');
  const [terms, setTerms] = useState(synonym?.terms.join('\n') ?? '');
  const [collection, setCollection] = useState(synonym?.collection ?? null);
  const isOneWay = direction === 'one-way';
  const save = useChange(
    () => {
      const body = { terms: termsOf(terms), input: isOneWay ? termsOf(input) : [], collection };
      const { synonyms } = lectern();
      return synonym === undefined ? synonyms.create(body) : synonyms.update(synonym.id, body);
    },
    ['synonyms'],
    onDone,
  );
  const isIncomplete = isOneWay
    ? termsOf(input).length === 0 || termsOf(terms).length === 0
    : termsOf(terms).length < 2;
  return (
    <Form
      mutation={save}
      done="The synonym is saved."
      label={synonym === undefined ? 'Add' : 'Save'}
      isIncomplete={isIncomplete}
    >
      <SelectField label="Direction" value={direction} options={DIRECTIONS} onChange={setDirection} />
      {isOneWay ? (
        <TextArea
          label="A search for"
          value={input}
          onChange={setInput}
          rows={2}
          required
          hint="One word or phrase per line."
          error={issueOf(save.error, 'input')}
        />
      ) : null}
      <TextArea
        label={isOneWay ? 'Also finds' : 'Words with the same meaning'}
        value={terms}
        onChange={setTerms}
        required
        hint="One word or phrase per line. Upper case and endings make no difference."
        error={issueOf(save.error, 'terms')}
      />
      <ScopeField value={collection} onChange={setCollection} />
    </Form>
  );
}
