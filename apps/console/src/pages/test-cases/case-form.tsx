import type { Schemas } from '@lectern/sdk';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const EXPECTATIONS: readonly { readonly value: Schemas['TestExpectation']; readonly label: string }[] = [
  { value: 'answer', label: t('testCases.expectations.answer') },
  { value: 'refusal', label: t('testCases.expectations.refusal') },
];

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

/** Creates or edits a test case. */
export function CaseForm({
  testCase,
  onDone,
}: {
  readonly testCase?: Schemas['TestCase'];
  readonly onDone: () => void;
}) {
  const [question, setQuestion] = useState(testCase?.question ?? '');
  const [expect, setExpect] = useState(testCase?.expect ?? 'answer');
  const [texts, setTexts] = useState(testCase?.texts.join('\n') ?? '');
  const [documents, setDocuments] = useState(testCase?.documents.join('\n') ?? '');
  const isAnswer = expect === 'answer';
  const save = useChange(
    () => {
      const body = {
        question,
        expect,
        texts: isAnswer ? linesOf(texts) : [],
        documents: isAnswer ? linesOf(documents) : [],
      };
      const { testCases } = lectern();
      return testCase === undefined ? testCases.create(body) : testCases.update(testCase.id, body);
    },
    ['test-cases', 'test-case', 'questions'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      done={t('testCases.saved')}
      label={t(testCase === undefined ? 'testCases.add' : 'testCases.save')}
      isIncomplete={question.trim() === ''}
    >
      <TextArea
        label={t('testCases.question')}
        value={question}
        onChange={setQuestion}
        rows={2}
        maxLength={2_000}
        required
        error={issueOf(save.error, 'question')}
      />
      <SelectField
        label={t('testCases.reply')}
        value={expect}
        options={EXPECTATIONS}
        onChange={(chosen) => setExpect(EXPECTATIONS.find(({ value }) => value === chosen)?.value ?? 'answer')}
      />
      {isAnswer ? (
        <>
          <TextArea
            label={t('testCases.texts')}
            value={texts}
            onChange={setTexts}
            rows={3}
            hint={t('testCases.textsHint')}
            error={issueOf(save.error, 'texts')}
          />
          <TextArea
            label={t('testCases.documents')}
            value={documents}
            onChange={setDocuments}
            rows={2}
            hint={t('testCases.documentsHint')}
            error={issueOf(save.error, 'documents')}
          />
        </>
      ) : null}
    </Form>
  );
}
