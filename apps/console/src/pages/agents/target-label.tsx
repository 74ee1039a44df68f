import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { ScheduleTarget } from '#api/types.ts';
import { useAccess, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';

/** The label of a place for results. Without the names that only admins may read, for others. */
export function TargetLabel({ target }: { readonly target: ScheduleTarget }) {
  switch (target.type) {
    case 'webhook':
      return t('agents.targets.unnamedWebhook');
    case 'slack':
      return t('agents.targets.unnamedSlack', { channel: target.channel });
    case 'email':
      return <EmailLabel personId={target.personId} />;
  }
}

function EmailLabel({ personId }: { readonly personId: string }) {
  const isSelf = useSession().person?.id === personId;
  const person = useQuery({
    queryKey: ['people', 'one', personId],
    queryFn: ({ signal }) => lectern().people.get(personId, { signal }),
    enabled: useAccess('admin', 'keys') && !isSelf,
  });
  if (isSelf) return t('agents.targets.you');
  const email = person.data?.email;
  return email === undefined ? t('agents.targets.otherPerson') : t('agents.targets.email', { email });
}
