/** The passwords of eight and more characters that stand at the top of every published list of leaked ones, folded to lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  12345678 123456789 1234567890 12345678910 123456789a 123456789q 1234567891 12345678a 12345678q 1234567890a
  87654321 987654321 0987654321 9876543210 1234567899 123456780 123123123a 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc
  q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 !qaz2wsx qazwsxedc qazwsx123 1qazxsw2 asdf1234 asdfghjkl asdfasdf asdfghjk
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty789 qwerasdf qwer1234 qweasdzxc
  qweqweqwe zxcvbnm1 zxcvbnm123 zxcvbnm, a1b2c3d4 a123456789 a12345678 abcd1234 abc12345 abc123456 abcdefgh abcdefghi
  aa123456 aa12345678 ab123456 asd123456 qq123456 q123456789 wang1234 woaini1314 woaini520 5201314520 147258369
  1472583690 789456123 741852963 159753456 123654789 123698745 321654987 963852741 11223344 1122334455 12344321
  12341234 11112222 01234567 0123456789 00000000 11111111 88888888 66666666 10203040 19841984 20202020 20232023
  password password1 password12 password123 password1234 password12345 password2 password! password1! password@123
  passw0rd passw0rd1 passw0rd! p@ssw0rd p@ssw0rd1 p@ssword p@ssword1 p@ssword123 pa55word pa55w0rd passpass passw0rd123
  mypassword thepassword newpassword yourpassword password99 password01 password11 passwort passwort1 motdepasse
  contraseña wachtwoord salasana administrator admin123 admin1234 admin12345 admin@123 adminadmin admin123456
  root1234 rootroot toor1234 changeme changeme1 changeme123 changeit letmein1 letmein123 letmeinnow welcome1 welcome12
  welcome123 welcome@123 default1 guest123 guestguest test1234 test12345 test123456 testtest testing1 testing123
  temp1234 temporary secret123 secretsecret superman superman1 supersecret spiderman batman123 starwars starwars1
  pokemon1 pokemon123 dragon123 monkey123 michelle jennifer jessica1 christin football football1 baseball baseball1
  basketball basketball1 liverpool liverpool1 chelsea1 arsenal1 barcelona barcelona1 realmadrid juventus1 steelers
  yankees1 cowboys1 sunshine sunshine1 princess princess1 iloveyou iloveyou1 iloveyou2 iloveyou! ilovegod lovelove
  iloveu123 loveyou1 shadow123 master123 trustno1 whatever whatever1 computer computer1 internet internet1 samsung1
  samsung123 facebook facebook1 facebook123 linkedin linkedin1 google123 microsoft windows10 apple123 nintendo
  playstation minecraft minecraft1 fortnite mercedes porsche1 corvette mustang1 maverick midnight butterfly
  butterfly1 chocolate chocolate1 cheese123 cookie123 pepper123 ginger123 summer123 summer2023 summer2024 summer2025
  winter123 winter2023 winter2024 winter2025 spring2024 spring2025 autumn2024 autumn2025 january1 february1 december1
  november1 september september1 november december february alexander alexander1 anthony1 benjamin benjamin1 charlie1
  charlie123 daniel123 elizabeth elizabeth1 jonathan joshua123 matthew1 nicholas patrick1 richard1 samantha samantha1
  stephanie thomas123 victoria victoria1 veronica vanessa1 william1 hello123 hello1234 hellohello helloworld
  goodluck1 lucky123 happy123 blessed1 blink182 metallica metallica1 slipknot1 nirvana1 eminem123 michael1 michael123
  jordan23 jordan123 cristiano ronaldo7 neymar123 password. passcode passcode1 mustang123 access14 access123 qwertyqwerty
  security security1 security123 router123 router1234 cisco123 cisco1234 ciscocisco mikrotik juniper1 juniper123
  network1 network123 longhaul longhaul1 longhaul123 customer customer1 operator operator1 hostmaster webmaster
  postgres postgres1 oracle123 ubuntu123 raspberry vagrant1 vagrantvagrant
  `
    .trim()
    .split(/\s+/),
)
