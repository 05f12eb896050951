import Interchange
import Testing

/// A sample export with the columns that the program documents, and the expected records.
struct ProgramSample: Sendable, CustomTestStringConvertible {
  let program: String
  let fileName: String
  let text: String
  /// The expected records in the form of ``ForeignBook/told``.
  let records: [String]
  var format = FileFormat.csv

  var testDescription: String { program }
}

extension ProgramSample {
  static let tables = [
    todoist, tickTick, asana, trello, microsoftToDo, notion, things, clickUp, outlook, reminders,
    thunderbird, googleContacts, newGoogleContacts, outlookContacts,
  ]

  static let todoist = ProgramSample(
    program: "Todoist", fileName: "House [2203306141].csv",
    text: """
      TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG
      meta,view_style=list,,,,,,,,,,,,
      task,Call a@b.example,,4,1,Ann (1),,,en,Europe/Berlin,,,,
      section,Errands,,,,,,,,,,,,
      task,Buy paint @shop,two cans,1,1,Ann (1),,2026-12-01,en,Europe/Berlin,,,,
      task,Sand the door,,4,2,Ann (1),,every monday,en,Europe/Berlin,,,,
      note,call first,,,,Ann (1),,,,,,,,
      note,then sand,,,,Bob (2),,,,,,,,
      task,Check hinges,,3,2,Ann (1),,5 Dec,en,Europe/Berlin,30,minute,2026-12-09,en
      ,,,,,,,,,,,,,

      """,
    records: [
      "[ ] Call a@b.example, on House",
      "[ ] Buy paint, on House, due 2026-12-01, high, #Errands #shop: two cans",
      "[ ] Sand the door, on House, #Errands: call first / then sand",
      "[ ] Check hinges, on House, due 2026-12-09, #Errands",
    ])

  static let tickTick = ProgramSample(
    program: "TickTick", fileName: "TickTick-backup.csv",
    text: """
      "Date: 2026-11-26+0000"
      "Version: 7.1"
      "Status:\u{20}
      0 Normal
      1 Completed
      2 Archived"
      "Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order","Timezone","Is All Day","Is Floating","Column Name","Column Order","View Mode","taskId","parentId"
      "Home","Chores","Water plants","TEXT","green, weekly","all of them","N","2026-11-30T23:00:00+0000","2026-11-30T23:00:00+0000","","FREQ=WEEKLY;INTERVAL=1","5","0","2026-11-01T08:00:00+0000","","-1099511627776","Europe/Berlin","true","false","","0","list","1",""
      "Home","Chores","Fix lamp","TEXT","","","N","","2026-12-02T16:30:00+0000","","","1","0","2026-11-01T08:00:00+0000","","0","Europe/Berlin","false","false","","0","list","2","1"
      "","Inbox","Pay rent","TEXT","","","N","","","","","0","1","2026-11-01T08:00:00+0000","2026-11-03T10:00:00+0000","0","Europe/Berlin","","false","","0","list","3",""
      "","Inbox","Old order","CHECKLIST","","","Y","","","","","3","2","2026-11-01T08:00:00+0000","2026-11-04T10:00:00+0000","0","Europe/Berlin","","false","","0","list","4",""
      "","Inbox","Not needed","TEXT","","","N","","","","","0","-1","2026-11-01T08:00:00+0000","","0","Europe/Berlin","","false","","0","list","5",""

      """,
    records: [
      "[ ] Water plants, on Chores, due 2026-12-01, high, #green #weekly: all of them",
      "[ ] Fix lamp, on Chores, due 2026-12-02, low", "[x] Pay rent, on Inbox, done 2026-11-03",
      "[x] Old order, on Inbox, done 2026-11-04", "[ ] Not needed, on Inbox",
    ])

  static let asana = ProgramSample(
    program: "Asana", fileName: "House.csv",
    text: """
      Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)
      1200,2026-11-01,,2026-11-02,Order tiles,Kitchen,Ann,ann@example.org,2026-12-01,2026-12-04,"urgent,grey",see shop,House,,,
      1201,2026-11-01,2026-11-03,2026-11-03,Measure,Kitchen,,,,,,,"House,Office",Order tiles,,
      1202,2026-11-01,,2026-11-02,Ask Bob,,,,,12/24/2026,,,House,,,

      """,
    records: [
      "[ ] Order tiles, on House, due 2026-12-04, #grey #Kitchen #urgent: see shop",
      "[x] Measure, on House, done 2026-11-03, #Kitchen", "[ ] Ask Bob, on House, due 2026-12-24",
    ])

  static let trello = ProgramSample(
    program: "Trello", fileName: "board.csv",
    text: """
      Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,Checklist Item Total Count,Checklist Item Completed Count,Vote Count,Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived,Start Date,Due Complete
      65aa,Order tiles,https://trello.example/c/1,grey ones,"red,blue",,2026-12-04T11:00:00.000Z,0,0,0,0,0,2026-11-20T10:00:00.000Z,65ff,Doing,65ee,House,false,,false
      65ab,Done card,https://trello.example/c/2,,,,2026-11-04T11:00:00.000Z,0,0,0,0,0,2026-11-20T10:00:00.000Z,65fe,Done,65ee,House,false,,true
      65ac,Archived card,https://trello.example/c/3,,,,,0,0,0,0,0,2026-11-20T10:00:00.000Z,65fe,Done,65ee,House,true,,false

      """,
    records: [
      "[ ] Order tiles, on Doing, due 2026-12-04, #blue #red: grey ones",
      "[x] Done card, on Done, due 2026-11-04", "[ ] Archived card, on Done",
    ])

  static let microsoftToDo = ProgramSample(
    program: "Microsoft To Do", fileName: "tasks.csv",
    text: """
      Title,Status,Due Date,Importance,Body,Completed Date,List Name,Categories
      Pay bill,notStarted,2026-12-03T00:00:00.0000000,high,"line1
      line2",,Home,Blue category
      Half way,inProgress,,normal,,,Home,
      Old bill,completed,2026-11-01,normal,,2026-11-02,Home,
      Ask Ann,waitingOnOthers,,low,,,Work,
      Later,deferred,,normal,,,Work,

      """,
    records: [
      "[ ] Pay bill, on Home, due 2026-12-03, high, #Blue category: line1 / line2",
      "[ ] Half way, on Home", "[x] Old bill, on Home, due 2026-11-01, done 2026-11-02",
      "[ ] Ask Ann, on Work, low", "[ ] Later, on Work",
    ])

  static let notion = ProgramSample(
    program: "Notion", fileName: "Tasks 0f1e2d3c.csv",
    text: """
      \u{FEFF}Name,Assign,Created time,Date,Priority,Status,Tags
      Write report,Ann,"November 1, 2026 9:15 AM","December 3, 2026 → December 5, 2026",High,In progress,"work, text"
      Send report,,"November 1, 2026 9:16 AM","December 6, 2026",,Not started,
      Ask for data,,"November 1, 2026 9:17 AM","November 2, 2026 5:00 PM (GMT+1)",Low,Done,

      """,
    records: [
      "[ ] Write report, due 2026-12-05, high, #text #work", "[ ] Send report, due 2026-12-06",
      "[x] Ask for data, due 2026-11-02, low",
    ])

  static let things = ProgramSample(
    program: "Things", fileName: "things.csv",
    text: """
      Title,Creation Date,Area,Project,Notes,Tags,Start Date,Due Date,Completion Date,Status
      Plan trip,2026-11-01 09:00:00,Family,Holiday,by train,"summer, rail",2026-11-20,2026-12-10,,open
      Pack,2026-11-01 09:01:00,Family,,,,,,2026-11-05 18:30:00,completed
      Fly,2026-11-01 09:02:00,,Holiday,,,,,,canceled

      """,
    records: [
      "[ ] Plan trip, on Holiday, due 2026-12-10, #rail #summer: by train",
      "[x] Pack, on Family, done 2026-11-05", "[ ] Fly, on Holiday",
    ])

  static let clickUp = ProgramSample(
    program: "ClickUp", fileName: "tasks.csv",
    text: """
      Task ID,Task Name,Task Content,Status,Date Created (Unix),Due Date (Unix),Due Date,Start Date,Parent ID,Assignees,Tags,Priority,List Name,Folder Name,Space Name
      86a1,Draft page,first part,to do,1793523600000,1796342400000,12/4/2026,null,null,[Ann],"[web,text]",1,Site,hidden,Work
      86a2,Check page,null,in progress,1793523600000,null,null,null,86a1,[],[],3,Site,hidden,Work
      86a3,Old page,,complete,1793523600000,null,null,null,null,[],[],null,Site,hidden,Work
      86a4,Other page,,Closed,1793523600000,null,null,null,null,[],[],4,Site,hidden,Work

      """,
    records: [
      "[ ] Draft page, on Site, due 2026-12-04, high, #text #web: first part",
      "[ ] Check page, on Site", "[x] Old page, on Site",
      "[x] Other page, on Site, low",
    ])

  static let outlook = ProgramSample(
    program: "Outlook", fileName: "tasks.csv",
    text: """
      "Subject","Start Date","Due Date","Reminder On/Off","Reminder Date","Reminder Time","Date Completed","% Complete","Total Work","Actual Work","Billing Information","Categories","Companies","Contacts","Mileage","Notes","Priority","Private","Role","Schedule+ Priority","Sensitivity","Status"
      "Call bank","12/1/2026","12/24/2026","False","","","","0","0","0","","Money;Home","","","","ask twice","High","False","","","Normal","Not Started"
      "Tax","","0/0/00","False","","","","50","0","0","","","","","","","Normal","False","","","Normal","In Progress"
      "Insurance","","11/13/2026","False","","","11/12/2026","100","0","0","","","","","","","Low","False","","","Normal","Completed"

      """,
    records: [
      "[ ] Call bank, due 2026-12-24, high, #Home #Money: ask twice", "[ ] Tax",
      "[x] Insurance, due 2026-11-13, done 2026-11-12, low",
    ])

  static let reminders = ProgramSample(
    program: "Reminders", fileName: "reminders.csv",
    text: """
      List Name,Title,Notes,Due Date,Completed,Completion Date,Creation Date,Priority,Flagged
      Shop,Bread,,2026-12-01 08:00,false,,2026-11-01 08:00,9,true
      Shop,Milk,two,,true,2026-11-02 10:00,2026-11-01 08:00,1,false

      """,
    records: [
      "[ ] Bread, on Shop, due 2026-12-01, low, #Flagged",
      "[x] Milk, on Shop, done 2026-11-02, high: two",
    ])

  static let thunderbird = ProgramSample(
    program: "Thunderbird", fileName: "Personal.csv",
    text: """
      First Name,Last Name,Display Name,Nickname,Primary Email,Organization,Birth Year,Birth Month,Birth Day,Custom 1,Notes
      Pia,Bird,Pia Bird,,pia@example.org,,1972,11,5,,x
      Quin,Noyear,Quin Noyear,,,,,8,9,,
      ,,Una Odd,,,,1604,2,29,,
      Vic,Wrong,Vic Wrong,,,,1990,13,5,,

      """,
    records: ["Pia Bird 1972-11-05: x", "Quin Noyear --08-09", "Una Odd --02-29", "Vic Wrong"])

  static let googleContacts = ProgramSample(
    program: "Google Contacts", fileName: "contacts.csv",
    text: """
      Name,Given Name,Additional Name,Family Name,Yomi Name,Nickname,Birthday,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value
      Ada Lovelace,Ada,,Lovelace,,,1815-12-10,countess,* myContacts ::: Friends,*,ada@example.org
      Alan Turing,Alan,,Turing,,, --06-23,,* myContacts,,

      """,
    records: ["Ada Lovelace 1815-12-10 #Friends: countess", "Alan Turing --06-23"])

  static let newGoogleContacts = ProgramSample(
    program: "Google Contacts", fileName: "contacts.csv",
    text: """
      First Name,Middle Name,Last Name,Phonetic First Name,Nickname,File As,Organization Name,Birthday,Notes,Labels
      Grace,Brewster,Hopper,,,,Navy,1906-12-09,,Work ::: * myContacts
      ,,,,,,Only a company,,,* myContacts

      """,
    records: ["Grace Hopper 1906-12-09 #Work"])

  static let outlookContacts = ProgramSample(
    program: "Outlook's contacts", fileName: "contacts.csv",
    text: """
      "Title","First Name","Middle Name","Last Name","Suffix","Company","Business Phone","Birthday","Anniversary","Categories","Notes","Priority","Sensitivity"
      "Dr.","Flo","","Slash","","Acme","1","3/14/1985","0/0/00","Family;Friends","","Normal","Normal"
      "","Gus","","Amb","","","","4/5/1985","0/0/00","","","Normal","Normal"
      "","Ed","","Zero","","","","0/0/00","0/0/00","","","Normal","Normal"

      """,
    records: ["Flo Slash 1985-03-14 #Family #Friends", "Gus Amb 1985-04-05"])
}

extension ProgramSample {
  static let googleTasks = ProgramSample(
    program: "Google Tasks", fileName: "Tasks.json",
    text: """
      {
        "kind": "tasks#taskLists",
        "items": [
          {"kind": "tasks#tasks", "id": "L1", "title": "My Tasks", "updated": "2026-11-20T10:00:00Z",
           "items": [
            {"kind": "tasks#task", "id": "T1", "title": "Buy bread", "notes": "rye", "status": "needsAction",
             "due": "2026-12-01T00:00:00Z", "updated": "2026-11-20T10:00:00Z", "links": []},
            {"kind": "tasks#task", "id": "T2", "title": "Pay", "status": "completed", "parent": "T1",
             "completed": "2026-11-19T18:00:00.000Z", "updated": "2026-11-20T10:00:00Z", "hidden": true},
            {"kind": "tasks#task", "id": "T3", "title": "", "status": "needsAction"},
            {"kind": "tasks#task", "id": "T4", "title": "Gone", "status": "needsAction", "deleted": true}
           ]},
          {"kind": "tasks#tasks", "id": "L2", "title": "Empty list", "items": []}
        ]
      }
      """,
    records: [
      "[ ] Buy bread, on My Tasks, due 2026-12-01: rye", "[x] Pay, on My Tasks, done 2026-11-19",
      "list Empty list", "list My Tasks",
    ], format: .googleTasks)
}
