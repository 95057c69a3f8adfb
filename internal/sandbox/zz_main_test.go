package sandbox_test
import ("testing";"net/http";"time";"log/slog";"github.com/google/uuid";"aviso/internal/sandbox/bank";"aviso/internal/sandbox/bank/banktest";"os";"net";"fmt")
func TestServe(t *testing.T){ if os.Getenv("SERVE")=="" {return}
 l,err:=net.Listen("tcp","127.0.0.1:0"); if err!=nil{t.Fatal(err)}
 os.WriteFile("/tmp/sbx/addr",[]byte(fmt.Sprint(l.Addr())),0o644)
 h:=bank.New(bank.Options{Store:&banktest.Store{},Now:time.Now,NewID:uuid.NewString,Log:slog.Default()})
 http.Serve(l,h)}
