import type { setUpGuides as English } from '#texts/en/set-up-guides.ts';
import type { Translated } from '#texts/translated.ts';

export const setUpGuides: Translated<typeof English> = {
  title: 'Bevor Sie beginnen',
  checkStep: 'Prüfen Sie diesen Schritt:',
  opensInNewTab: '(öffnet {{label}} in einem neuen Tab)',
  s3: {
    user: 'Legen Sie in IAM einen Benutzer für Lectern an.',
    rights:
      'Erlauben Sie `s3:ListBucket` auf dem Bucket und `s3:GetObject` auf seinen Objekten. Damit Sie hier Dateien hochladen und löschen können, erlauben Sie auch `s3:PutObject` und `s3:DeleteObject`.',
    accessKey:
      'Legen Sie für den Benutzer einen Zugriffsschlüssel an und kopieren Sie dessen ID und den geheimen Schlüssel.',
    readers:
      'Legen Sie fest, wer die Dokumente lesen darf: S3 enthält keine Angaben zu Lesern, die Lectern nutzen könnte.',
    link: 'IAM-Konsole',
  },
  googleDrive: {
    account:
      'Ein Konto: Wählen Sie das Google-Konto, dessen Dateien Lectern liest. Lectern liest alles, was dieses Konto öffnen kann. Google fragt, ob Lectern die Dateien ansehen darf (`drive.readonly`).',
    operator:
      'Wenn die Autorisierung nicht verfügbar ist, muss der Betreiber von Lectern `GOOGLE_CLIENT_ID` und `GOOGLE_CLIENT_SECRET` setzen.',
    domain:
      'Eine ganze Domain: Legen Sie ein Dienstkonto mit einem JSON-Schlüssel an und erlauben Sie ihm in der Admin-Konsole von Google die domainweite Delegierung mit den Scopes aus der Dokumentation. Geben Sie den Schlüssel und die Adresse eines Administrators ein.',
  },
  gmail: {
    mailbox:
      'Ein Postfach: Wählen Sie das Google-Konto. Google fragt, ob Lectern dessen E-Mails ansehen darf (`gmail.readonly`). Wenn die Autorisierung nicht verfügbar ist, muss der Betreiber von Lectern `GOOGLE_CLIENT_ID` und `GOOGLE_CLIENT_SECRET` setzen und den Scope zur Anwendung hinzufügen.',
    project:
      'Eine ganze Domain: Aktivieren Sie in einem Projekt der Google Cloud die Gmail API und die Admin SDK API und legen Sie ein Dienstkonto mit einem JSON-Schlüssel an.',
    delegation:
      'Fügen Sie in der Admin-Konsole von Google unter „Sicherheit → Zugriffs- und Datenkontrolle → API-Steuerung → Domainweite Delegierung“ die Client-ID des Dienstkontos mit den Scopes `https://www.googleapis.com/auth/gmail.readonly` und `https://www.googleapis.com/auth/admin.directory.user.readonly` hinzu.',
    groups:
      'Wenn Sie unter „Gruppen“ oder als Leser Google-Gruppen angeben, fügen Sie auch `https://www.googleapis.com/auth/admin.directory.group.readonly` und `https://www.googleapis.com/auth/admin.directory.group.member.readonly` hinzu.',
    readers:
      'Geben Sie den Schlüssel und die Adresse eines Administrators ein und legen Sie fest, wer gemeinsame Postfächer wie support@example.com lesen darf. Jedes andere Postfach ist nur für seinen Benutzer lesbar.',
    link: 'Admin-Konsole von Google',
  },
  confluence: {
    account:
      'Wählen Sie ein Konto, das die Bereiche ansehen darf. Damit Lectern die Berechtigungen lesen kann, muss das Konto auch Bereichsberechtigungen und Gruppen sehen.',
    cloud:
      'Cloud: Legen Sie für das Konto ein API-Token ohne Scopes an. Geben Sie die E-Mail-Adresse des Kontos und das Token ein.',
    dataCenter:
      'Data Center: Legen Sie unter „Settings → Personal access tokens“ ein persönliches Zugriffstoken an. Geben Sie nur das Token ein.',
    link: 'API-Tokens von Atlassian',
  },
  jira: {
    account:
      'Wählen Sie ein Konto mit der Berechtigung „Browse projects“. Damit Lectern die Berechtigungen lesen kann, braucht das Konto auch „Administer projects“, „Administer Jira“ und „Browse users and groups“.',
    cloud:
      'Cloud: Legen Sie für das Konto ein API-Token an. Ein Token mit Scopes braucht `read:jira-work` und `read:jira-user`, für Berechtigungen auch `manage:jira-project` und `manage:jira-configuration`, sowie die URL `https://api.atlassian.com/ex/jira/<cloudId>`.',
    dataCenter:
      'Data Center: Legen Sie unter „Profile → Personal access tokens“ ein persönliches Zugriffstoken an. Geben Sie nur das Token ein.',
    link: 'API-Tokens von Atlassian',
  },
  github: {
    token: 'Legen Sie für die Repositorys ein „fine-grained token“ mit Lesezugriff auf „Contents“ und „Metadata“ an.',
    permissions:
      'Damit Lectern die Berechtigungen privater Repositorys lesen kann, braucht der Inhaber des Tokens dort Schreibzugriff (Push).',
    copy: 'Kopieren Sie das Token. GitHub zeigt es nur einmal.',
    link: 'GitHub-Tokens',
  },
  gitlab: {
    token:
      'Legen Sie ein Zugriffstoken mit dem Scope `read_api` an: entweder in der Gruppe unter „Settings → Access tokens“ mit der Rolle „Reporter“ oder in den Einstellungen eines Kontos, das Mitglied der Gruppen ist.',
    emails:
      'Ein solches Token sieht nur öffentliche E-Mail-Adressen. Private Projekte finden nur Personen, deren Profil eine öffentliche E-Mail-Adresse hat, es sei denn, das Token gehört einem Administrator (mit `admin_mode`, wenn Ihre Instanz das verwendet) oder dem Inhaber einer Gruppe mit „enterprise users“.',
    paths: 'Kopieren Sie das Token und geben Sie die vollständigen Pfade der Gruppen oder Projekte ein.',
    link: 'GitLab: Zugriffstokens',
  },
  microsoft365: {
    registration:
      'Öffnen Sie im Entra Admin Center „App-Registrierungen → Neue Registrierung“. Lassen Sie nur eine Organisation zu und geben Sie keine Umleitungs-URI an.',
    ids: 'Kopieren Sie die Mandanten-ID und die Client-ID aus der Übersicht.',
    secret:
      'Legen Sie unter „Zertifikate & Geheimnisse“ einen geheimen Clientschlüssel an und kopieren Sie seinen Wert.',
    permissions:
      'Fügen Sie unter „API-Berechtigungen“ die Anwendungsberechtigungen `User.Read.All` und `GroupMember.Read.All` von Microsoft Graph hinzu.',
    files: 'SharePoint und OneDrive: Fügen Sie `Sites.Read.All` und `Files.Read.All` hinzu.',
    teams:
      'Teams: Fügen Sie `Team.ReadBasic.All`, `Channel.ReadBasic.All`, `ChannelMessage.Read.All` und `ChannelMember.Read.All` hinzu.',
    outlook:
      'Outlook: Fügen Sie `Mail.Read` hinzu und beschränken Sie die Anwendung in Exchange Online auf die Postfächer. Sonst kann sie jedes Postfach lesen.',
    consent: 'Erteilen Sie die Administratorzustimmung.',
    link: 'Entra Admin Center',
  },
  slack: {
    app: 'Legen Sie eine App für Ihren Workspace an. Lassen Sie sie intern: Verteilte Apps außerhalb des Marktplatzes von Slack können nur 15 Nachrichten pro Minute lesen. Schalten Sie die Token-Rotation nicht ein.',
    scopes:
      'Fügen Sie die Bot-Scopes `channels:read`, `channels:history`, `users:read` und `users:read.email` hinzu, für private Kanäle auch `groups:read` und `groups:history` und für Dateien `files:read`.',
    install: 'Installieren Sie die App und kopieren Sie das Bot-Token (`xoxb-…`).',
    invite: 'Laden Sie die App in die Kanäle ein: Geben Sie `/invite` und ihren Namen ein.',
    link: 'Slack-Apps',
  },
  notion: {
    pages:
      'Klicken Sie auf „Mit Notion autorisieren“ und wählen Sie die Seiten, die Sie für Lectern freigeben. Ihre Unterseiten gehören dazu.',
    operator:
      'Wenn die Autorisierung nicht verfügbar ist, muss der Betreiber von Lectern `NOTION_CLIENT_ID` und `NOTION_CLIENT_SECRET` setzen.',
  },
  salesforce: {
    application: 'Legen Sie im Setup eine Anwendung mit dem Client-Credentials-Flow und dem Scope `api` an.',
    user: 'Wählen Sie den Benutzer, als der sie ausgeführt wird. Er braucht das Recht, die API zu nutzen, und Lesezugriff auf die Objekte.',
    consumerKey: 'Kopieren Sie den „consumer key“ (die Client-ID) und das „consumer secret“.',
    operator:
      'Der Betreiber von Lectern muss `SALESFORCE_LOGIN_URL` auf die Domain Ihrer Organisation setzen („My Domain“).',
    readers: 'Legen Sie fest, wer die Dokumente lesen darf: Lectern liest die Freigaben von Salesforce nicht.',
  },
  imap: {
    server:
      'Ermitteln Sie den IMAP-Server Ihres Anbieters und schalten Sie IMAP für das Postfach ein, falls es ausgeschaltet ist.',
    password:
      'Legen Sie in den Einstellungen des Kontos ein App-Passwort für Lectern an. Die meisten Anbieter verlangen eines, wenn die Bestätigung in zwei Schritten eingeschaltet ist. Microsoft 365 und die meisten Domains von Google erlauben nur OAuth.',
    microsoft:
      'Microsoft 365: Registrieren Sie in Entra ID eine Anwendung mit der Anwendungsberechtigung `IMAP.AccessAsApp` von Office 365 Exchange Online und erteilen Sie die Administratorzustimmung. Führen Sie in Exchange Online `New-ServicePrincipal` für sie aus und geben Sie ihr mit `Add-MailboxPermission` Zugriff auf jedes Postfach. Der Server ist `outlook.office365.com`, die Token-URL `https://login.microsoftonline.com/<Mandanten-ID>/oauth2/v2.0/token`.',
    google:
      'Google: Legen Sie einen OAuth-Client an, autorisieren Sie ihn als Inhaber des Postfachs für den Scope `https://mail.google.com/` und geben Sie das Refresh-Token ein. Der Server ist `imap.gmail.com`, die Token-URL `https://oauth2.googleapis.com/token`. Der Typ Gmail ist einfacher einzurichten.',
    mailbox:
      'Ein persönliches Postfach: Nur sein Inhaber findet die Dokumente. Ein gemeinsames Postfach: Geben Sie an, wer die Dokumente lesen darf.',
    mailboxes:
      'Mehrere Postfächer: Geben Sie einen Benutzer oder eine Anwendung mit Zugriff auf die Postfächer an, zum Beispiel einen Master-Benutzer von Dovecot, und die Namen der Postfächer.',
  },
  postgresql: {
    user: 'Legen Sie einen Benutzer an, der nur lesen kann: `CREATE ROLE lectern LOGIN PASSWORD …`, `GRANT USAGE ON SCHEMA public TO lectern`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO lectern`.',
    connections:
      'Erlauben Sie Verbindungen von der Adresse von Lectern. Setzen Sie bei PgBouncer `pool_mode = session`.',
    readers:
      'Legen Sie fest, wer die Dokumente lesen darf: Eine Datenbank enthält keine Angaben zu Lesern, die Lectern nutzen könnte.',
  },
  web: {
    permission: 'Prüfen Sie, ob Sie die Website kopieren dürfen. Lectern beachtet deren `robots.txt`.',
    start:
      'Geben Sie die Seiten ein, bei denen der Crawl beginnt. Er umfasst nur ihre Hosts, außer Sie fügen weitere hinzu.',
    exclude: 'Schließen Sie Seiten mit Anmeldung, Kalender und Suchergebnisse aus.',
  },
};
