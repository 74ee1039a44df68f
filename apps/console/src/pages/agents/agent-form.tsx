import type { UseMutationResult } from '@tanstack/react-query';
import { issueOf } from '#api/issue-of.ts';
import { MEMORY_MODES } from '#pages/agents/agent-values.ts';
import { OutsideToolChoice } from '#pages/agents/outside-tool-choice.tsx';
import { TOOLS } from '#pages/agents/tools.ts';
import type { EditedAgent } from '#pages/agents/use-agent-values.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

/** The settings of an agent. */
export function AgentForm({
  edited: { values, isChanged, change, settle },
  isNew,
  isIncomplete,
  save,
}: {
  readonly edited: EditedAgent;
  readonly isNew: boolean;
  readonly isIncomplete: boolean;
  readonly save: Pick<UseMutationResult<unknown, Error, void>, 'mutateAsync' | 'error' | 'isPending'>;
}) {
  const { tools } = values;
  return (
    <Form
      mutation={save}
      label={t(isNew ? 'agents.create' : 'agents.save')}
      isIncomplete={isIncomplete}
      done={isNew ? undefined : t('agents.saved')}
      actions={
        isChanged ? (
          <>
            <span className="muted small">{t('agents.notSaved')}</span>
            <Button onClick={() => settle()}>{t('agents.discard')}</Button>
          </>
        ) : null
      }
    >
      <NameField value={values.name} onChange={(name) => change({ name })} error={save.error} />
      <TextField
        label={t('agents.description')}
        value={values.description}
        onChange={(description) => change({ description })}
      />
      <TextArea
        label={t('agents.instructions')}
        value={values.systemPrompt}
        onChange={(systemPrompt) => change({ systemPrompt })}
        rows={7}
        required
        placeholder={t('agents.instructionsExample')}
        error={issueOf(save.error, 'systemPrompt')}
      />
      <TextArea
        label={t('agents.greeting')}
        value={values.startMessage}
        onChange={(startMessage) => change({ startMessage })}
        rows={2}
      />
      <fieldset>
        <legend>{t('agents.tools')}</legend>
        {TOOLS.map((tool) => (
          <Checkbox
            key={tool.name}
            label={tool.label}
            isChecked={tools.includes(tool.name)}
            onChange={(isOn) =>
              change({ tools: isOn ? [...tools, tool.name] : tools.filter((other) => other !== tool.name) })
            }
          />
        ))}
        <OutsideToolChoice chosen={tools} onChange={(chosen) => change({ tools: chosen })} />
      </fieldset>
      <CollectionChoice
        label={t('agents.collections')}
        chosen={values.collections}
        onChange={(collections) => change({ collections })}
      />
      <SelectField
        label={t('agents.memory')}
        value={values.memory}
        options={MEMORY_MODES.map((mode) => ({ value: mode, label: t(`agents.memoryModes.${mode}`) }))}
        onChange={(chosen) => change({ memory: MEMORY_MODES.find((mode) => mode === chosen) ?? 'recall' })}
      />
    </Form>
  );
}
