import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lectern } from '#api/lectern.ts';
import type { ScheduleTarget } from '#api/types.ts';
import { TargetLabel } from '#pages/agents/target-label.tsx';
import { PersonSearch } from '#pages/people/person-search.tsx';
import { useAccess, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';

interface Choice {
  readonly label: ReactNode;
  readonly target: ScheduleTarget;
}

const emailTo = (personId: string): ScheduleTarget => ({ type: 'email', personId });
const same = (a: ScheduleTarget, b: ScheduleTarget): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The places that the user can choose: the own mailbox, and for admins webhooks and Slack channels. */
function useChoices(isAdmin: boolean): readonly Choice[] {
  const { person } = useSession();
  const webhooks = useQuery({
    queryKey: ['webhooks', 'for schedules'],
    queryFn: async ({ signal }) => (await lectern().webhooks.list({ limit: 100 }, { signal })).items,
    enabled: isAdmin,
  });
  const apps = useQuery({
    queryKey: ['slack-apps', 'for schedules'],
    queryFn: async ({ signal }) =>
      (await lectern().client.list('listSlackApps', { query: { limit: 100 } }, { signal })).items,
    enabled: isAdmin,
  });
  return [
    ...(person === null
      ? []
      : [{ label: t('agents.targets.ownEmail', { email: person.email }), target: emailTo(person.id) }]),
    ...(webhooks.data ?? []).map(({ id, url }) => ({
      label: t('agents.targets.webhook', { url }),
      target: { type: 'webhook' as const, webhookId: id },
    })),
    ...(apps.data ?? []).flatMap(({ id, name, channels }) =>
      channels.map((channel) => ({
        label: t('agents.targets.slack', { channel, name }),
        target: { type: 'slack' as const, appId: id, channel },
      })),
    ),
  ];
}

/** Chooses where the results of a schedule go. */
export function ScheduleTargets({
  targets,
  stored,
  error,
  onChange,
}: {
  readonly targets: readonly ScheduleTarget[];
  /** The targets before the change. */
  readonly stored: readonly ScheduleTarget[];
  readonly error: string | undefined;
  readonly onChange: (targets: readonly ScheduleTarget[]) => void;
}) {
  const isAdmin = useAccess('admin', 'keys');
  const choices = useChoices(isAdmin);
  const isIn = (list: readonly ScheduleTarget[], target: ScheduleTarget) => list.some((known) => same(known, target));
  const others = [...stored, ...targets.filter((target) => !isIn(stored, target))]
    .filter((target) => !choices.some((choice) => same(choice.target, target)))
    .map((target) => ({ label: <TargetLabel target={target} />, target }));
  const shown = [...choices, ...others];
  const canAdd = (id: string) => !shown.some(({ target }) => same(target, emailTo(id)));
  return (
    <>
      {shown.length === 0 ? null : (
        <fieldset>
          <legend>{t('agents.schedules.sendTo')}</legend>
          {shown.map(({ label, target }) => (
            <Checkbox
              key={JSON.stringify(target)}
              label={label}
              isChecked={isIn(targets, target)}
              onChange={(isOn) =>
                onChange(isOn ? [...targets, target] : targets.filter((known) => !same(known, target)))
              }
            />
          ))}
          {error === undefined ? null : <p className="field-error">{error}</p>}
        </fieldset>
      )}
      {isAdmin ? (
        <PersonSearch
          label={t('agents.schedules.emailToOther')}
          canAdd={({ id, status }) => status === 'active' && canAdd(id)}
          onAdd={({ id }) => onChange([...targets, emailTo(id)])}
        />
      ) : null}
      <p className="hint">{t('agents.schedules.access')}</p>
    </>
  );
}
