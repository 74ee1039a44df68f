import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { ToolServerForm } from '#pages/tools/tool-server-form.tsx';
import { ToolServerItem } from '#pages/tools/tool-server-item.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The MCP servers and HTTP APIs whose tools agents can use. */
export default function ToolServersPage() {
  const [isAdding, setIsAdding] = useState(false);
  const paging = usePaged(['tool-servers', 'list'], (page, options) =>
    lectern().toolServers.list({ page, limit: 20 }, options),
  );
  return (
    <>
      <PageHead title={t('tools.title')} intro={t('tools.intro')}>
        <Button isPrimary onClick={() => setIsAdding(true)}>
          {t('tools.addServer')}
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what={t('tools.what.servers')}
        empty={
          <Empty title={t('tools.none')}>
            <p>{t('tools.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((server) => (
              <ToolServerItem key={server.id} server={server} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('tools.addTitle')} isOpen={isAdding} onOpenChange={setIsAdding}>
        <ToolServerForm onDone={() => setIsAdding(false)} />
      </Sheet>
    </>
  );
}
