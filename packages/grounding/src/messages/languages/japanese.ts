import type { ReplyMessages } from '#messages/reply-messages';

export const JAPANESE_MESSAGES: ReplyMessages = {
  quoted: '「{text}」',
  accordingTo: '「{title}」によると：',
  mayAnswer: '「{title}」の次の箇所が質問の答えかもしれません：',
  alsoIn: '「{title}」には次の記載もあります：',
  overview: '文書の要点は次のとおりです：',
  closest: '最も近い箇所は次のとおりです：',
  contradiction: '文書によって内容が異なります：',
  notFound: '参照できる文書の中に、その質問への回答は見つかりませんでした。',
  nothingAbout: '参照できる文書の中に、{subject}についての記載は見つかりませんでした。',
  missing: '見つかった箇所には{value}についての記載がありません。',
  missingSeveral: '見つかった箇所には{values}についての記載がありません。',
  mainPoints: '「{title}」の要点は何ですか？',
  rephrase: '別の言葉で質問するか、文書に書かれている内容について質問してください。',
  rephraseLike: '別の言葉で質問するか、文書に書かれている内容（例：{titles}）について質問してください。',
  noDocuments:
    '検索できる文書がまだありません。文書をアップロードするかデータソースを接続してから、もう一度質問してください。',
  notYet: 'まだ回答できません。',
  indexing: { other: '{count} 件の文書がまだインデックス作成中です。' },
  askAgainLater: '数分後にもう一度質問してください。',
  withheld:
    'この回答は表示されなくなりました。削除された文書、または閲覧できなくなった文書に基づいているためです。新しい回答を得るには、もう一度質問してください。',
  greeting: 'こんにちは。文書について質問してください。回答となる箇所を引用します。',
  thanks: 'どういたしまして。ほかにも知りたいことがあれば質問してください。',
  farewell: 'さようなら。',
  aboutMe:
    'Lectern の内蔵抽出モデルです。文書を検索し、質問の回答となる文を出典とともに引用します。自分で文章を書くことはありません。',
  acknowledged: '承知しました。文書の中で何をお調べになりますか。',
};
