import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { SlackApp } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { SlackAppForm } from '#pages/slack/slack-app-form.tsx';
import { SlackAppItem } from '#pages/slack/slack-app-item.tsx';
import { SlackManifest } from '#pages/slack/slack-manifest.tsx';
import { useRole } from '#session/session.ts';
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
        <PageHead title="Slack" />
        <Empty title="You cannot manage Slack apps">
          <p>Only admins and owners can. Ask one of them.</p>
        </Empty>
      </>
    );
  }
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title="Slack" intro="People ask in Slack, and get answers from what they may read.">
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          Add Slack app
        </Button>
      </PageHead>
      <section className="card stack" aria-label="Who reads a reply">
        <h2>Who reads a reply</h2>
        <ul className="stack bullets">
          <li>
            In direct messages, people get answers from everything that they may read in Lectern. Slack must show a
            confirmed email address that belongs to an active person of this team.
          </li>
          <li>
            In an allowed channel, others read the reply: it contains only documents that everybody may read. In all
            other channels, and in those with guests or other organizations, the app answers in a direct message.
          </li>
          <li>
            Whoever can change email addresses in your Slack workspace can ask as anybody. Add only workspaces whose
            admins may read everything.
          </li>
        </ul>
      </section>
      <Listing
        paging={apps}
        what="Slack apps"
        empty={
          <Empty title="No Slack apps yet">
            <p>Create an app in Slack with the manifest that “Add Slack app” shows, then enter its tokens here.</p>
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
      <Sheet title="Add a Slack app" isOpen={open?.what === 'new'} onOpenChange={close}>
        <SlackAppForm onDone={close} manifest={(transport) => <SlackManifest transport={transport} />} />
      </Sheet>
      <Sheet title="Edit the Slack app" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <SlackAppForm app={open.app} onDone={close} /> : null}
      </Sheet>
    </>
  );
}
