import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Synonym } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const DIRECTIONS = [
  { value: 'two-way', label: t('synonyms.directions.twoWay') },
  { value: 'one-way', label: t('synonyms.directions.oneWay') },
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
      done={t('synonyms.saved')}
      label={t(synonym === undefined ? 'synonyms.add' : 'synonyms.save')}
      isIncomplete={isIncomplete}
    >
      <SelectField label={t('synonyms.direction')} value={direction} options={DIRECTIONS} onChange={setDirection} />
      {isOneWay ? (
        <TextArea
          label={t('synonyms.input')}
          value={input}
          onChange={setInput}
          rows={2}
          required
          hint={t('synonyms.inputHint')}
          error={issueOf(save.error, 'input')}
        />
      ) : null}
      <TextArea
        label={t(isOneWay ? 'synonyms.alsoFinds' : 'synonyms.sameMeaning')}
        value={terms}
        onChange={setTerms}
        required
        hint={t('synonyms.termsHint')}
        error={issueOf(save.error, 'terms')}
      />
      <ScopeField value={collection} onChange={setCollection} />
    </Form>
  );
}
