/** Vietnamese function words, question words included. */
export const VIETNAMESE_STOPWORDS = `
  ai bao bị bởi các cái cho có của cùng đã đang đây để đến đó được gì hay hoặc khi không là lại làm lúc mà mỗi một
  nào này nên nếu ngày nhiêu như những ở qua ra rằng rất sao sau sẽ tại theo thì thế trên trong trước từ và vào
  vẫn về vì với vậy`;
