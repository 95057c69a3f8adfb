module aviso.example/client

go 1.25.0
