import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { countPeople, hasConversations } from '#pages/overview/read-overview.ts';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

interface Step {
  readonly isDone: boolean;
  readonly to: string;
  readonly label: string;
  readonly about: string;
}

/** The checklist of a new team. It ends when there are documents and people. */
export function SetUp({ hasDocuments }: { readonly hasDocuments: boolean }) {
  const mayInvite = useAccess('admin', 'keys');
  const mayAsk = useAccess('member', 'chat');
  const people = useQuery({
    queryKey: ['people', 'count'],
    queryFn: ({ signal }) => countPeople(signal),
    enabled: mayInvite,
  });
  const asked = useQuery({
    queryKey: ['conversations', 'any'],
    queryFn: ({ signal }) => hasConversations(signal),
    enabled: mayAsk,
  });
  // Without an answer, the steps would change while somebody reads them.
  if (people.isLoading || asked.isLoading) return null;
  const hasPeople = people.data === undefined || people.data > 1;
  if (hasDocuments && hasPeople) return null;
  const steps: readonly Step[] = [
    {
      isDone: hasDocuments,
      to: '/collections',
      label: t('overview.setUp.collection'),
      about: t('overview.setUp.collectionHelp'),
    },
    {
      isDone: asked.data === true,
      to: '/ask',
      label: t('overview.setUp.ask'),
      about: t('overview.setUp.askHelp'),
    },
    {
      isDone: hasPeople,
      to: '/people',
      label: t('overview.setUp.invite'),
      about: t('overview.setUp.inviteHelp'),
    },
  ];
  return (
    <section className="stack" aria-labelledby="set-up">
      <h2 id="set-up">{t('overview.setUp.title')}</h2>
      <ol className="plain-list">
        {steps.map(({ isDone, to, label, about }) => (
          <li key={to} className="card row">
            <Icon name={isDone ? 'check' : 'chevron'} />
            <div className="grow">
              <h3>
                <Link href={to}>{label}</Link>
                {isDone ? <span className="visually-hidden"> {t('overview.setUp.done')}</span> : null}
              </h3>
              <p className="muted">{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
