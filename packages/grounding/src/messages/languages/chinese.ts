import type { ReplyMessages } from '#messages/reply-messages';

export const CHINESE_MESSAGES: ReplyMessages = {
  quoted: '“{text}”',
  accordingTo: '根据“{title}”：',
  mayAnswer: '“{title}”中的这段内容可能回答了这个问题：',
  alsoIn: '“{title}”补充：',
  overview: '根据文档，简要如下：',
  closest: '我找到的最接近的内容是：',
  contradiction: '各文档的说法不一致：',
  notFound: '在我可以查看的文档中，没有找到这个问题的答案。',
  nothingAbout: '在我可以查看的文档中，没有找到关于{subject}的内容。',
  missing: '找到的段落中没有提到{value}。',
  missingSeveral: '找到的段落中没有提到{values}。',
  mainPoints: '“{title}”的要点是什么？',
  rephrase: '请换一种说法，或询问文档中涉及的内容。',
  rephraseLike: '请换一种说法，或询问文档中涉及的内容，例如{titles}。',
  noDocuments: '目前还没有可供我查找的文档。请上传文档或连接数据源，然后再次提问。',
  notYet: '我暂时还不能回答。',
  indexing: { other: '还有 {count} 个文档正在建立索引。' },
  askAgainLater: '请过几分钟再提问。',
  withheld: '此回答不再显示：它所依据的文档已被删除，或者您已无权阅读。请再次提问以获得新的回答。',
  greeting: '您好！请就您的文档提问，我会引用能够回答问题的内容。',
  thanks: '不客气。如果还有其他问题，请随时提问。',
  farewell: '再见！',
  aboutMe:
    '我是 Lectern，使用内置的摘录模型：我会在您的文档中查找，并引用能够回答您问题的句子及其来源。我不会自己撰写内容。',
  acknowledged: '好的。您想在文档中查找什么？',
};
