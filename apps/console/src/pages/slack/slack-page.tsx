import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { SlackApp } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { SlackAppForm } from '#pages/slack/slack-app-form.tsx';
import { SlackAppItem } from '#pages/slack/slack-app-item.tsx';
import { SlackManifest } from '#pages/slack/slack-manifest.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The open dialog. */
type Open = { readonly what: 'new' } | { readonly what: 'edit'; readonly app: SlackApp };

/** The Slack apps that answer the people of the team. */
export default function SlackPage() {
  const canManage = useRole('admin');
  const [open, setOpen] = useState<Open>();
  const apps = usePaged(
    ['slack-apps'],
    (page, options) => lectern().client.list('listSlackApps', { query: { page, limit: 20 } }, options),
    { enabled: canManage },
  );
  if (!canManage) {
    return (
      <>
        <PageHead title={t('slack.title')} />
        <Empty title={t('slack.noAccess')}>
          <p>{t('session.ask.admin')}</p>
        </Empty>
      </>
    );
  }
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title={t('slack.title')} intro={t('slack.intro')}>
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          {t('slack.add')}
        </Button>
      </PageHead>
      <section className="card stack" aria-label={t('slack.readers.title')}>
        <h2>{t('slack.readers.title')}</h2>
        <ul className="stack bullets">
          <li>{t('slack.readers.direct')}</li>
          <li>{t('slack.readers.channels')}</li>
          <li>{t('slack.readers.emails')}</li>
        </ul>
      </section>
      <Listing
        paging={apps}
        what={t('slack.what.apps')}
        empty={
          <Empty title={t('slack.none')}>
            <p>{t('slack.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((app) => (
              <SlackAppItem key={app.id} app={app} onEdit={() => setOpen({ what: 'edit', app })} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('slack.addTitle')} isOpen={open?.what === 'new'} onOpenChange={close}>
        <SlackAppForm onDone={close} manifest={(transport) => <SlackManifest transport={transport} />} />
      </Sheet>
      <Sheet title={t('slack.editTitle')} isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <SlackAppForm app={open.app} onDone={close} /> : null}
      </Sheet>
    </>
  );
}
