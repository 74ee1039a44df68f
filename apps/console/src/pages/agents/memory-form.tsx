import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Memory } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { KINDS, type Kind } from '#pages/agents/memory-kinds.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { dayOf, endOfDay } from '#ui/time-text.ts';

const DEFAULT_IMPORTANCE_PERCENT = '50';

/** Creates or edits a memory. */
export function MemoryForm({
  agentId,
  memory,
  onDone,
}: {
  readonly agentId: string;
  readonly memory?: Memory;
  readonly onDone: () => void;
}) {
  const [content, setContent] = useState(memory?.content ?? '');
  const [kind, setKind] = useState<Kind>(memory?.kind ?? 'fact');
  const [percent, setPercent] = useState(
    memory === undefined ? DEFAULT_IMPORTANCE_PERCENT : String(Math.round(memory.importance * 100)),
  );
  const [expires, setExpires] = useState(dayOf(memory?.expiresAt ?? null));
  const save = useChange(
    () => {
      const body = { content, kind, importance: Number(percent) / 100, expiresAt: endOfDay(expires) };
      const { memories } = lectern().agents;
      return memory === undefined ? memories.create(agentId, body) : memories.update(agentId, memory.id, body);
    },
    ['memories'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      done={t('agents.memories.saved')}
      label={t(memory === undefined ? 'agents.add' : 'agents.save')}
      isIncomplete={content.trim() === ''}
    >
      <TextArea
        label={t('agents.memories.content')}
        value={content}
        onChange={setContent}
        required
        error={issueOf(save.error, 'content')}
        hint={t('agents.memories.contentHint')}
      />
      <div className="form-grid">
        <SelectField
          label={t('agents.memories.kind')}
          value={kind}
          options={KINDS}
          onChange={(chosen) => setKind(KINDS.find(({ value }) => value === chosen)?.value ?? 'fact')}
        />
        <TextField
          label={t('agents.memories.importance')}
          type="number"
          min={0}
          max={100}
          value={percent}
          onChange={setPercent}
          error={issueOf(save.error, 'importance')}
        />
        <TextField
          label={t('agents.memories.expires')}
          type="date"
          value={expires}
          onChange={setExpires}
          error={issueOf(save.error, 'expiresAt')}
          hint={t('agents.memories.expiresHint')}
        />
      </div>
    </Form>
  );
}
